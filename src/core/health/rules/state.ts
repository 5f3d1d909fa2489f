import { timelineAt } from "../../event/server-event.ts";
import { shownTime } from "../../text/plain-words.ts";
import { crashLoop, crashWindowMs } from "../thresholds.ts";
import { evidenceFigure, step, type HealthRule } from "./rule.ts";

/** The server sends nothing and announced no stop. */
export const serverDown: HealthRule = ({ state, stateSince }) =>
  state === "unreachable"
    ? {
        code: "server_down",
        severity: "critical",
        since: stateSince,
        evidence: [],
        next: [step("start_server"), step("read_events", "list_server_events")],
        text:
          stateSince === null
            ? "The server sends nothing."
            : `The server has sent nothing since ${shownTime(stateSince)}, and announced no stop.`,
      }
    : null;

/** The process lives, and the game does not tick. */
export const serverUnresponsive: HealthRule = ({ state, stateSince }) =>
  state === "unresponsive"
    ? {
        code: "server_unresponsive",
        severity: "critical",
        since: stateSince,
        evidence: [],
        next: [step("read_events", "list_server_events"), step("start_server")],
        text: "The server answers, but its main thread does not tick.",
      }
    : null;

/** Crashes, kills and ends for want of memory in the last 24 hours. */
export const crashes: HealthRule = ({ events, to }) => {
  const ends = events.filter(
    (event) => event.type === "server_crash" && timelineAt(event) > to - crashWindowMs,
  );
  const [newest, oldest] = [ends[0], ends.at(-1)];
  if (!newest || !oldest) return null;
  const isLoop = ends.length >= crashLoop;
  return {
    code: isLoop ? "crash_loop" : "crashed",
    severity: isLoop ? "critical" : "warning",
    since: timelineAt(oldest),
    evidence: [
      evidenceFigure("unclean_ends", ends.length, "count", isLoop ? crashLoop : 1, timelineAt(newest)),
    ],
    next: [step("read_events", "list_server_events")],
    text: isLoop
      ? `The server ended uncleanly ${ends.length} times within 24 hours.`
      : "The server ended uncleanly once within 24 hours.",
  };
};
