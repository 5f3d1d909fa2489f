import { z } from "zod";
import type { DerivedStatus, ServerState } from "../server/status.ts";
import { toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { FindingCode, HealthVerdict, healthVerdicts, type ServerHealth } from "./health.ts";
import { nothingWrong, stateHeadline } from "./headline.ts";
import { isStillDown, type StoredHealth } from "./stored-health.ts";
import { headlineAt } from "./stored-headline.ts";

export const HealthSummary = z.object({
  verdict: HealthVerdict,
  since: Timestamp.nullable(),
  /** Critical findings and warnings, worst first. */
  reasons: z.array(FindingCode),
  evaluated_at: Timestamp.nullable().describe(
    "When this was found: now where the server's state decides; null before the first evaluation, and while new data wait for one.",
  ),
  judged_at: Timestamp.nullable().describe(
    "When a server with less than 15 minutes of data will be judged; null for every other.",
  ),
});
export type HealthSummary = z.infer<typeof HealthSummary>;

export interface SummaryWithHeadline extends HealthSummary {
  readonly headline: ServerHealth["headline"];
}

type VerdictBasis = Pick<StoredHealth, "verdict" | "since" | "verdictFrom" | "evaluatedAt">;

const verdictsOfStates: Readonly<Record<ServerState, HealthVerdict | null>> = {
  unreachable: "down",
  unresponsive: "down",
  stopped: "stopped",
  paused: "stopped",
  never_seen: "unknown",
  not_monitored: "unknown",
  running: null,
  paused_empty: null,
};

/**
 * The verdict, if the state decides: for a server that sends nothing, does not tick or announced a stop, and for one
 * that sends without an evaluation of what it sends. Null: the newest evaluation decides, also for a server that ended
 * uncleanly and sent nothing since.
 */
function verdictByState(
  stored: VerdictBasis | null,
  state: ServerState,
  lastHeartbeat: Instant | null,
): HealthVerdict | null {
  const isExpected =
    state !== "not_monitored" && state !== "never_seen" && state !== "stopped" && state !== "paused";
  // The evaluation knows more than the state: why the server is down.
  if (stored !== null && isExpected && isStillDown(stored, lastHeartbeat)) return null;
  const ofState = verdictsOfStates[state];
  if (ofState !== null) return ofState;
  // A server that came back within the last minute is evaluated soon.
  return stored === null || stored.verdict === "down" || stored.verdict === "stopped" ? "unknown" : null;
}

/** The verdict and since when, without the rest of a summary. */
export function verdictNow(
  stored: VerdictBasis | null,
  { state, since }: Pick<DerivedStatus, "state" | "since">,
  lastHeartbeat: Instant | null,
): { readonly verdict: HealthVerdict; readonly since: Instant | null } {
  const byState = verdictByState(stored, state, lastHeartbeat);
  return byState === null && stored !== null
    ? { verdict: stored.verdict, since: stored.since }
    : { verdict: byState ?? "unknown", since };
}

/** The present health. A healthy server gets no figure in its headline: its evaluation may be a day old. */
export function healthSummaryOf(
  stored: SummarizedHealth | null,
  { state, since }: Pick<DerivedStatus, "state" | "since">,
  lastHeartbeat: Instant | null,
  now: Instant,
): SummaryWithHeadline {
  const byState = verdictByState(stored, state, lastHeartbeat);
  if (byState !== null || stored === null) {
    const waits = state === "running" || state === "paused_empty";
    return {
      verdict: byState ?? "unknown",
      since: toTimestampOrNull(since),
      reasons: reasonsOfStates[state] ?? [],
      evaluated_at: waits ? null : toTimestamp(now),
      judged_at: null,
      headline: stateHeadline(state, since),
    };
  }
  if (stored.verdict !== "healthy") return summaryOf(stored, headlineAt(stored.headline, now));
  return summaryOf(stored, state === "paused_empty" ? stateHeadline(state, since) : nothingWrong);
}

const reasonsOfStates: Readonly<Partial<Record<ServerState, FindingCode[]>>> = {
  unreachable: ["server_down"],
  unresponsive: ["server_unresponsive"],
};

type SummarizedHealth = Omit<StoredHealth, "serverId" | "announced" | "beginnings">;

const summaryOf = (
  { verdict, since, reasons, evaluatedAt, headline: { judgedAt } }: SummarizedHealth,
  headline: SummaryWithHeadline["headline"],
): SummaryWithHeadline => ({
  verdict,
  since: toTimestampOrNull(since),
  reasons: [...reasons],
  evaluated_at: evaluatedAt < 0 ? null : toTimestamp(evaluatedAt),
  judged_at: toTimestampOrNull(verdict === "unknown" ? (judgedAt ?? null) : null),
  headline,
});

/** Rank in a list, worst first; servers that are not monitored come last. */
export const verdictRank = (verdict: HealthVerdict, isMonitored: boolean): number =>
  isMonitored ? healthVerdicts.indexOf(verdict) : healthVerdicts.length;
