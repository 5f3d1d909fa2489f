import type { ServerState } from "../../../core/server/status.ts";
import type { ShownVerdict } from "../../words/late-now.ts";
import { State, type Meaning } from "../../parts/state.tsx";

const meanings: Readonly<Record<ServerState, Meaning>> = {
  running: "good",
  unresponsive: "bad",
  paused_empty: "silenced",
  stopped: "watch",
  paused: "silenced",
  unreachable: "bad",
  never_seen: "unknown",
  not_monitored: "unknown",
};

/** In the API's word. */
export function StateOfServer({ state }: { state: ServerState }) {
  return <State means={meanings[state]}>{wordsOf(state)}</State>;
}

/** `paused_empty` becomes "paused empty". */
export const wordsOf = (code: string): string => code.replaceAll("_", " ");

/** A server that ticks is shown as good only if its health is good: the page has one answer. */
export function JudgedState({ state, verdict }: { state: ServerState; verdict: ShownVerdict | null }) {
  if (state !== "running" || verdict === null || verdict === "healthy")
    return <StateOfServer state={state} />;
  return <strong>{wordsOf(state)}</strong>;
}
