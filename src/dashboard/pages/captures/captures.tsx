import type { ComponentChildren } from "preact";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../contract/call/caller.ts";
import type { Collectable } from "../../../core/server/collection.ts";
import { askForCapture } from "../../../endpoints/web/server/ask-for-capture.ts";
import type { getCaptureState } from "../../../endpoints/web/server/get-capture-state.ts";
import type { Done, Submission, PageRequest } from "../../page.ts";
import { CaptureRequest } from "./capture-request.tsx";
import { CompareTwo } from "./compare-two.tsx";
import { LivePart } from "../../parts/live-part.tsx";
import { ServerHead } from "../../parts/server-head.tsx";
import { Card } from "../../parts/state.tsx";
import { NextPage } from "../../parts/table.tsx";

/** So many captures a page lists. */
export const capturesAPage = 25;

/** Where a server's captures of a kind are. */
const pathOf = (serverId: string, what: Collectable): string =>
  `/servers/${serverId}/${what === "profile" ? "profiles" : "memory-reports"}`;

interface CapturesProps {
  readonly request: PageRequest<SessionCaller>;
  readonly state: PersonAnswer<typeof getCaptureState>;
  readonly what: Collectable;
  /** What the sender is asked for, in words. */
  readonly called: string;
  /** How many are kept, and for how long. */
  readonly kept: ComponentChildren;
  readonly list: ComponentChildren;
  readonly cursor: string | null;
  /** What can be compared, newest first. */
  readonly options: readonly (readonly [id: string, words: string])[];
  readonly upload: ComponentChildren;
}

/** A server's captures of one kind: which there are, and how another one comes here. */
export function Captures({
  request,
  state,
  what,
  called,
  kept,
  list,
  cursor,
  options,
  upload,
}: CapturesProps) {
  return (
    <>
      <ServerHead id={state.server_id} name={state.server_name} />
      <p class="quiet">{kept}</p>
      <LivePart of="list">{list}</LivePart>
      <NextPage cursor={cursor} query={request.query} />
      <div class="columns">
        <Card title="Take one">
          <LivePart of="request">
            <CaptureRequest what={called} until={state.asked_until[what]} state={state} now={request.now} />
          </LivePart>
        </Card>
        <Card title="Upload one">{upload}</Card>
        {options.length > 0 && (
          <Card title="Compare two">
            <CompareTwo to={`${pathOf(state.server_id, what)}/compare`} options={options} />
          </Card>
        )}
      </div>
    </>
  );
}

/** The action of such a page that asks for one. */
export const collect =
  (what: Collectable) =>
  async ({ call, params }: Submission<SessionCaller>): Promise<Done> => {
    const server_id = params["id"] ?? "";
    await call(askForCapture, { server_id, what });
    return { to: pathOf(server_id, what) };
  };
