import { timelineAt } from "../event/server-event.ts";
import { onlineWithinMs, type ServerState } from "../server/status.ts";
import type { Instant } from "../time.ts";
import type { HealthFacts } from "./facts.ts";
import { uncleanEndAfter } from "./unclean-end.ts";
import { hungSince, lastAnnouncement, unmonitoredTimes } from "./monitoring-transition.ts";

export type FormerState = Pick<HealthFacts, "state" | "stateSince" | "ended">;

/** The state at the end of a past period, derived from samples, announcements and timeline. */
export function formerState(
  to: Instant,
  times: Float64Array,
  { events, transitions }: Pick<HealthFacts, "events" | "transitions">,
): FormerState {
  const off = unmonitoredTimes(transitions).find((time) => time.from < to && time.to >= to);
  if (off) return { state: "not_monitored", stateSince: off.from };
  const last = times.at(-1) ?? null;
  const ended = last === null ? null : uncleanEndAfter(events, { at: last, bootAt: null });
  if (ended !== null) return { state: "unreachable", stateSince: ended.at, ended };
  const hung = hungSince(transitions);
  if (hung !== null && hung < to) return { state: "unresponsive", stateSince: hung };
  if (last !== null && to - last <= onlineWithinMs) return { state: "running", stateSince: null };
  const announced = lastAnnouncement(transitions);
  // A sample of the same moment may be slightly newer than the announcement.
  if (announced !== null && announced.at >= (last ?? 0) - onlineWithinMs)
    return { state: announced.kind, stateSince: announced.at };
  const stop = events.find(
    ({ type }) => type === "server_stop" || type === "server_crash" || type === "server_start",
  );
  const state: ServerState =
    stop?.type === "server_stop" ? "stopped" : last === null ? "never_seen" : "unreachable";
  return { state, stateSince: stop?.type === "server_stop" ? timelineAt(stop) : last };
}
