import { timelineAt } from "../../event/server-event.ts";
import { secondMs } from "../../time.ts";
import type { HealthFacts } from "../facts.ts";
import { stateHeadline, unresponsiveText } from "../headline.ts";
import { suspectsOfNewest } from "../suspects.ts";
import { endedText } from "../unclean-end.ts";
import { crashGapMs, crashLoop, crashWindowMs } from "../thresholds.ts";
import { readEventsStep, readMetricsStep, startServerStep } from "../next-steps.ts";
import { evidenceFigure, newestEpisode, overHours, type HealthRule } from "./rule.ts";

export const serverDown: HealthRule = (facts) => {
  const { state, stateSince, nextSampleAt, ended, to } = facts;
  return state === "unreachable"
    ? {
        code: "server_down",
        severity: "critical",
        since: stateSince,
        until: nextSampleAt,
        evidence: ended
          ? [evidenceFigure("ended_ago", Math.floor((to - ended.at) / secondMs), "seconds", null, ended.at)]
          : [],
        next: [startServerStep(facts), readEventsStep(facts, ...(ended ? ["server_crash"] : []))],
        ...(ended && { suspects: suspectsOfNewest(facts.events) }),
        text: ended ? endedText(ended, to) : stateHeadline(state, stateSince).text,
      }
    : null;
};

/**
 * Whether a server that does not tick answers a ping as from a server list, which gives its number of players;
 * null where that was measured in no sample, or no sample came since.
 */
function isAnswering({ samples, stateSince, measuredBefore }: HealthFacts): boolean | null {
  const newest = samples.newestAt;
  if (newest === null || newest < (stateSince ?? newest)) return null;
  const answer = samples.newest("player_count")?.at ?? null;
  if (answer === newest) return true;
  return answer !== null || measuredBefore.has("player_count") ? false : null;
}

export const serverUnresponsive: HealthRule = (facts) => {
  const { state, stateSince } = facts;
  return state === "unresponsive"
    ? {
        code: "server_unresponsive",
        severity: "critical",
        since: stateSince,
        evidence: [],
        next: [readEventsStep(facts), readMetricsStep(facts, "mspt", "worst_tick_ms", "cpu_usage")],
        text: unresponsiveText(isAnswering(facts)),
      }
    : null;
};

/** A `server_crash` is a crash, a kill or an end for want of memory. */
export const crashes: HealthRule = (facts) => {
  const { events, eventsFrom, from, to } = facts;
  const earliest = Math.max(from, to - crashWindowMs + 1);
  const all = events.filter(({ type }) => type === "server_crash").map(timelineAt);
  const ends = all.filter((at) => at >= earliest);
  const newest = ends[0];
  const episode = newestEpisode(
    all.toSorted((a, b) => a - b),
    crashGapMs,
    eventsFrom,
  );
  if (newest === undefined || episode === null) return null;
  const isLoop = ends.length >= crashLoop;
  return {
    code: isLoop ? "crash_loop" : "crashed",
    severity: isLoop ? "critical" : "warning",
    since: episode.since,
    sinceIsAtLeast: episode.sinceIsAtLeast,
    evidence: [
      evidenceFigure("unclean_ends", ends.length, "count", isLoop ? crashLoop : 1, newest),
      ...(episode.count === ends.length
        ? []
        : [evidenceFigure("unclean_ends_of_the_episode", episode.count, "count", null, newest)]),
      ...overHours(episode, newest),
    ],
    next: [readEventsStep(facts, "server_crash")],
    suspects: suspectsOfNewest(events),
    text: isLoop
      ? `The server ended uncleanly ${ends.length} times within 24 hours.`
      : "The server ended uncleanly once within 24 hours.",
  };
};
