import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { onlineWithinMs } from "../../../core/server/status.ts";
import type { Instant } from "../../../core/time.ts";
import type { getCaptureState } from "../../../endpoints/web/server/get-capture-state.ts";
import { Button, Form } from "../../parts/form.tsx";
import { State } from "../../parts/state.tsx";
import { Age } from "../../parts/value.tsx";

interface SenderProps {
  readonly state: PersonAnswer<typeof getCaptureState>;
  readonly now: Instant;
}

interface CaptureRequestProps extends SenderProps {
  /** What is taken, in words. */
  readonly what: string;
  /** Until when the sender is asked already. */
  readonly until: string | null;
}

/** Asks the server's plugin or agent for a capture with its next heartbeats. */
export function CaptureRequest({ what, until, state, now }: CaptureRequestProps) {
  return (
    <>
      {until === null ? (
        <Form does="collect">
          <p class="hint">
            The {state.sender} is asked for {what} with each heartbeat of the next ten minutes, until it
            comes.
          </p>
          <Button>
            Ask the {state.sender} for {what}
          </Button>
        </Form>
      ) : (
        <p>
          <State means="watch">Asked</State> The {state.sender} is asked for {what} with its next heartbeats;
          the request ends <Age at={until} now={now} />. Reload this page to see whether it came.
        </p>
      )}
      <SenderNotice state={state} now={now} />
    </>
  );
}

/** Whether the sender is likely to hear of it; nothing where it was heard of late. */
function SenderNotice({ state: { sender, site_step, last_heartbeat, last_refused }, now }: SenderProps) {
  if (site_step !== "on")
    return (
      <p class="hint">
        The server is not monitored, so it is not known when its {sender} was last heard. It is asked at its
        next heartbeat all the same.
      </p>
    );
  if (last_refused !== null)
    return (
      <p class="hint">
        The {sender} was last heard <Age at={last_refused} now={now} />, and what it sent was refused. It is
        asked at its next heartbeat that is taken.
      </p>
    );
  if (last_heartbeat !== null && now - Date.parse(last_heartbeat) <= onlineWithinMs) return null;
  return (
    <p class="hint">
      Last heartbeat: <Age at={last_heartbeat} now={now} staleAfterMs={onlineWithinMs} />. While the {sender}{" "}
      is silent, it hears of nothing.
    </p>
  );
}
