import { z } from "zod";
import { median } from "../statistics/order.ts";
import { dayMs, toTimestamp, type Instant } from "../time.ts";
import { Timestamp } from "../timestamp.ts";
import { MetricKey } from "./compare.ts";
import type { ReportRecord } from "./records.ts";
import { measuredBy } from "./run-conditions.ts";

/** With fewer earlier runs nothing is usual. */
const fewestRuns = 3;
/** The newest runs that are compared, and how far they may reach back. */
const mostRuns = 10;
const mostAgeMs = 90 * dayMs;

/**
 * A score that differs by more than this percentage from the median of earlier runs is unusual. Hosts of virtual
 * machines were seen to change their speed by up to 20 % for minutes without a sign that a guest could measure.
 */
const unusualFrom = 10;

/** Which scores differ from those of earlier runs of the same server on the same machine and software. */
export const UsualScores = z.object({
  /** The earlier runs that are compared. */
  reports: z.int(),
  /** When the oldest of them ended. */
  from: Timestamp,
  /** Scores more than 10 % from the usual: the machine changed, or its host did, so that one run says little. */
  unusual: z.array(
    z.object({
      score: MetricKey,
      /** The median of the earlier runs. */
      usual: z.number(),
      difference_percent: z.number(),
    }),
  ),
});
export type UsualScores = z.infer<typeof UsualScores>;

/** What has to be equal for scores to be the same measurement again. */
const setting = ({ content }: ReportRecord): string => {
  const { benchmark_mode, algorithm_version, hardware, server, conditions = null } = content;
  const { cpu_name, cpu_cores, available_processors } = hardware;
  const machine = [cpu_name, cpu_cores, available_processors];
  const software = [server.type, server.game_version, server.plugin_version];
  return JSON.stringify([benchmark_mode, algorithm_version, machine, software, measuredBy({ conditions })]);
};

const scoresIn = ({ content }: ReportRecord): Readonly<Record<MetricKey, number | null>> => ({
  ...content.scores,
  ...content.sub_scores,
});

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Null with too few earlier runs that are comparable. `earlier`: runs of the same server, newest first. */
export function usualScores(report: ReportRecord, earlier: readonly ReportRecord[]): UsualScores | null {
  const own = setting(report);
  const since: Instant = report.finishedAt - mostAgeMs;
  const runs = earlier
    .filter((run) => run.id !== report.id && run.finishedAt >= since && setting(run) === own)
    .slice(0, mostRuns);
  const oldest = runs.at(-1);
  if (oldest === undefined || runs.length < fewestRuns) return null;
  const scores = scoresIn(report);
  return {
    reports: runs.length,
    from: toTimestamp(oldest.finishedAt),
    unusual: MetricKey.options.flatMap((score) => {
      const now = scores[score];
      const before = runs.flatMap((run) => scoresIn(run)[score] || []);
      // Zero and null were not measured.
      if (!now || before.length < fewestRuns) return [];
      const usual = median(before);
      const difference = (100 * (now - usual)) / usual;
      return Math.abs(difference) <= unusualFrom
        ? []
        : [{ score, usual: rounded(usual), difference_percent: rounded(difference) }];
    }),
  };
}
