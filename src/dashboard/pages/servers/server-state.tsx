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

/** The state of a server, in the word the API has for it. */
export function StateOfServer({ state }: { state: ServerState }) {
  return <State means={meanings[state]}>{wordsOf(state)}</State>;
}

/** A word of the API as it is read: `paused_empty`, paused empty. */
export const wordsOf = (code: string): string => code.replaceAll("_", " ");
