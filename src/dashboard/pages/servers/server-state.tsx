import type { ServerState } from "../../../core/server/status.ts";
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

/** The state of a server, in the API's word. */
export function StateOfServer({ state }: { state: ServerState }) {
  return <State means={meanings[state]}>{wordsOf(state)}</State>;
}

/** A code of the API as words: `paused_empty` becomes "paused empty". */
export const wordsOf = (code: string): string => code.replaceAll("_", " ");
