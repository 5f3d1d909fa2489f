import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import { onlineWithinMs } from "../../../core/server/status.ts";
import type { Instant } from "../../../core/time.ts";
import type { getCaptureState } from "../../../actions/server/get-capture-state.ts";
import { Button, Form } from "../../parts/form.tsx";
import { State } from "../../parts/state.tsx";
import { Age } from "../../parts/value.tsx";

interface SenderProps {
  readonly state: PersonAnswer<typeof getCaptureState>;
  readonly now: Instant;
}

interface CaptureRequestProps extends SenderProps {
  /** The kind of capture, in words. */
  readonly what: string;
  /** The end of the current request; null if there is none. */
  readonly until: string | null;
}

/** Requests a capture from the server's plugin or agent with its next heartbeats. */
export function CaptureRequest({ what, until, state, now }: CaptureRequestProps) {
  return (
    <>
      {until === null ? (
        <Form does="collect">
          <p class="hint">
            The service requests {what} from the {state.sender} with each heartbeat of the next ten minutes,
            until it is uploaded.
          </p>
          <Button>Request {what}</Button>
        </Form>
      ) : (
        <p>
          <State means="watch">Requested</State> The service requests {what} from the {state.sender} with its
          next heartbeats. The request ends <Age at={until} now={now} />. Reload this page to see whether it
          was uploaded.
        </p>
      )}
      <SenderNotice state={state} now={now} />
    </>
  );
}

/** Warns if the sender may not receive the request. */
function SenderNotice({ state: { sender, site_step, last_heartbeat, last_refused }, now }: SenderProps) {
  if (site_step !== "on")
    return (
      <p class="hint">
        The server is not monitored, so the time of the last heartbeat of its {sender} is not known. A request
        is sent with its next heartbeat.
      </p>
    );
  if (last_refused !== null)
    return (
      <p class="hint">
        The last message of the {sender} came <Age at={last_refused} now={now} /> and was refused. A request
        is sent with the next heartbeat that is accepted.
      </p>
    );
  if (last_heartbeat !== null && now - Date.parse(last_heartbeat) <= onlineWithinMs) return null;
  return (
    <p class="hint">
      Last heartbeat: <Age at={last_heartbeat} now={now} staleAfterMs={onlineWithinMs} />. A request is sent
      with its next heartbeat.
    </p>
  );
}
