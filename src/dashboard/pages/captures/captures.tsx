import type { ComponentChildren } from "preact";
import type { PersonAnswer } from "../../../contract/call/call-as-person.ts";
import type { SessionCaller } from "../../../contract/call/caller.ts";
import type { Collectable } from "../../../core/server/collection.ts";
import { askForCapture } from "../../../actions/server/ask-for-capture.ts";
import { getCaptureState } from "../../../actions/server/get-capture-state.ts";
import type { ActionResult, Submission, PageRequest } from "../../page.ts";
import { CaptureRequest } from "./capture-request.tsx";
import { CompareTwo } from "./compare-two.tsx";
import { LivePart } from "../../parts/live-part.tsx";
import { ServerHead } from "../../parts/server-head.tsx";
import { Card } from "../../parts/state.tsx";
import { NextPage } from "../../parts/table.tsx";

export const capturesAPage = 25;

const pathOf = (serverId: string, what: Collectable): string =>
  `/servers/${serverId}/${what === "profile" ? "profiles" : "memory-reports"}`;

interface CapturesProps {
  readonly request: PageRequest<SessionCaller>;
  readonly state: PersonAnswer<typeof getCaptureState>;
  readonly what: Collectable;
  /** The kind of capture, in words. */
  readonly called: string;
  /** How many captures the plan keeps, and for how long. */
  readonly kept: ComponentChildren;
  readonly list: ComponentChildren;
  readonly cursor: string | null;
  /** For a comparison, newest first. */
  readonly options: readonly (readonly [id: string, words: string])[];
  readonly upload: ComponentChildren;
}

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
        <Card title="Request one" id="add">
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

/** The content of the live part. */
export const captureRequest =
  (what: Collectable, called: string) =>
  async ({ call, params, now }: PageRequest<SessionCaller>) => {
    const state = await call(getCaptureState, { server_id: params["id"] ?? "" });
    return <CaptureRequest what={called} until={state.asked_until[what]} state={state} now={now} />;
  };

export const collect =
  (what: Collectable) =>
  async ({ call, params }: Submission<SessionCaller>): Promise<ActionResult> => {
    const server_id = params["id"] ?? "";
    await call(askForCapture, { server_id, what });
    return { to: pathOf(server_id, what) };
  };
