import type { Instant } from "../../core/time.ts";
import { Button, Form } from "./form.tsx";
import { State } from "./state.tsx";
import { Age } from "./value.tsx";

interface AskProps {
  /** What is taken, in words. */
  readonly what: string;
  /** Until when the plugin is asked already. */
  readonly until: string | null;
  readonly lastHeartbeat: string | null;
  readonly now: Instant;
}

/** So old a heartbeat may be before a plugin counts as silent, ms. */
const staleAfterMs = 90_000;

/** Asks the server's plugin for a capture with its next heartbeats. */
export function AskForCapture({ what, until, lastHeartbeat, now }: AskProps) {
  const isSilent = lastHeartbeat === null || now - Date.parse(lastHeartbeat) > staleAfterMs;
  return (
    <>
      {until === null ? (
        <Form does="collect">
          <p class="hint">
            The plugin is asked for {what} with each heartbeat of the next ten minutes, until it comes.
          </p>
          <Button>Ask the plugin for {what}</Button>
        </Form>
      ) : (
        <p>
          <State means="watch">Asked</State> The plugin is asked for {what} with its next heartbeats; the
          request ends <Age at={until} now={now} />. Reload this page to see whether it came.
        </p>
      )}
      {isSilent && (
        <p class="hint">
          Last heartbeat: <Age at={lastHeartbeat} now={now} staleAfterMs={staleAfterMs} />. A plugin that is
          silent hears of nothing.
        </p>
      )}
    </>
  );
}
