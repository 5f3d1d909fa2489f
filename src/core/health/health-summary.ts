import { z } from "zod";
import type { DerivedStatus } from "../server/status.ts";
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

/**
 * The present health: the state decides for a server that sends nothing, does not tick or pauses without
 * players; else the newest evaluation does, also for a server that ended uncleanly and sent nothing since. A
 * healthy server gets no figure in its headline, because its evaluation may be a day old.
 */
export function healthSummaryOf(
  stored: SummarizedHealth | null,
  { state, since }: Pick<DerivedStatus, "state" | "since">,
  lastHeartbeat: Instant | null,
  now: Instant,
): SummaryWithHeadline {
  const byState = (verdict: HealthVerdict, reasons: FindingCode[] = []): SummaryWithHeadline => ({
    verdict,
    since: toTimestampOrNull(since),
    reasons,
    evaluated_at: toTimestamp(now),
    judged_at: null,
    headline: stateHeadline(state, since),
  });
  const isMonitored = state !== "not_monitored" && state !== "never_seen";
  const isStopped = state === "stopped" || state === "paused";
  // The evaluation knows more than the state: why the server is down.
  if (stored !== null && isMonitored && !isStopped && isStillDown(stored, lastHeartbeat))
    return summaryOf(stored, headlineAt(stored.headline, now));
  switch (state) {
    case "unreachable":
      return byState("down", ["server_down"]);
    case "unresponsive":
      return byState("down", ["server_unresponsive"]);
    case "stopped":
    case "paused":
      return byState("stopped");
    case "never_seen":
    case "not_monitored":
      return byState("unknown");
    case "running":
    case "paused_empty":
  }
  // A server that came back within the last minute is evaluated soon.
  if (stored === null || stored.verdict === "down" || stored.verdict === "stopped")
    return { ...byState("unknown"), evaluated_at: null };
  if (stored.verdict !== "healthy") return summaryOf(stored, headlineAt(stored.headline, now));
  return summaryOf(stored, state === "paused_empty" ? stateHeadline(state, since) : nothingWrong);
}

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
