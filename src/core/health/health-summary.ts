import { z } from "zod";
import type { DerivedStatus } from "../server/status.ts";
import { toTimestampOrNull } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { FindingCode, HealthVerdict, healthVerdicts, type ServerHealth } from "./health.ts";
import { nothingWrong, stateHeadline } from "./headline.ts";
import type { StoredHealth } from "./stored-health.ts";

export const HealthSummary = z.object({
  verdict: HealthVerdict,
  since: Timestamp.nullable(),
  /** Critical findings and warnings, worst first. */
  reasons: z.array(FindingCode),
});
export type HealthSummary = z.infer<typeof HealthSummary>;

export interface SummaryWithHeadline extends HealthSummary {
  readonly headline: ServerHealth["headline"];
}

/**
 * The present health: the state decides for a server that sends nothing, does not tick or pauses without
 * players; else the newest evaluation does. A healthy server gets no figure in its headline, because its
 * evaluation may be a day old.
 */
export function healthSummaryOf(
  stored: Pick<StoredHealth, "verdict" | "since" | "reasons" | "headline"> | null,
  { state, since }: Pick<DerivedStatus, "state" | "since">,
): SummaryWithHeadline {
  const byState = (verdict: HealthVerdict, reasons: FindingCode[] = []): SummaryWithHeadline => ({
    verdict,
    since: toTimestampOrNull(since),
    reasons,
    headline: stateHeadline(state, since),
  });
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
  if (stored === null || stored.verdict === "down" || stored.verdict === "stopped") return byState("unknown");
  const { verdict, reasons } = stored;
  const headline =
    verdict !== "healthy"
      ? stored.headline
      : state === "paused_empty"
        ? stateHeadline(state, since)
        : nothingWrong;
  return { verdict, since: toTimestampOrNull(stored.since), reasons: [...reasons], headline };
}

/** Rank in a list, worst first; servers that are not monitored come last. */
export const verdictRank = (verdict: HealthVerdict, isMonitored: boolean): number =>
  isMonitored ? healthVerdicts.indexOf(verdict) : healthVerdicts.length;
