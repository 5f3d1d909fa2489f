import { z } from "zod";
import { Id } from "../../id.ts";
import { MetricKey } from "../../report/compare.ts";
import { ShownContextValue, shownPair } from "../../report/context.ts";
import { median } from "../../statistics/order.ts";
import { exceeds } from "../../statistics/shift.ts";
import { toTimestamp, utcDay, type Instant } from "../../time.ts";
import { Timestamp } from "../../timestamp.ts";
import { decide, type Decision } from "./decision.ts";
import {
  ComparableGroup,
  contextChanges,
  ExclusionReason,
  JudgedMetric,
  sortRuns,
  type SortedRuns,
} from "./group.ts";
import { dailyPoints, dailyScore, type Point } from "./points.ts";
import type { ScheduledRun } from "./run.ts";
import {
  regressionRuleVersion,
  regressionThresholds,
  slowMinPoints,
  staleDays,
  windowDays,
} from "./thresholds.ts";
import { noiseOf } from "./walk.ts";

const UndecidableReason = z.enum([
  "no_runs",
  "stale",
  "not_enough_runs",
  "mixed_conditions",
  "awaiting_confirmation",
  "too_noisy",
  "trend_down",
  "drop_not_excluded",
]);

const stretch = {
  points: z.int(),
  median: z.number(),
  from: Timestamp,
  to: Timestamp,
};

/** Medians are of the score `metric`, percentages of the baseline's. */
export const RegressionVerdict = z.object({
  server_id: Id,
  rule_version: z.string(),
  verdict: z.enum(["regression", "stable", "undecidable"]),
  reason: UndecidableReason.nullable(),
  metric: JudgedMetric,
  window: z.object({ days: z.int(), from: Timestamp, to: Timestamp }),
  group: ComparableGroup.nullable(),
  runs: z.object({
    total: z.int(),
    comparable: z.int(),
    points: z.int(),
    excluded: z.array(z.object({ reason: ExclusionReason, count: z.int() })),
  }),
  baseline: z
    .object({
      points: stretch.points,
      median: stretch.median,
      noise_percent: z.number(),
      from: stretch.from,
      to: stretch.to,
    })
    .nullable(),
  recent: z.object(stretch).nullable(),
  change_percent: z.number().nullable(),
  lower_bound_percent: z.number().nullable(),
  since: Timestamp.nullable(),
  first_report_id: Id.nullable(),
  other_metrics: z.array(z.object({ key: MetricKey, change_percent: z.number() })),
  context_changes: z.array(
    z.object({ field: z.string(), before: ShownContextValue, after: ShownContextValue, at: Timestamp }),
  ),
  thresholds: z.object({
    band_percent: z.number(),
    exclude_drop_percent: z.number(),
    min_points: z.int(),
    recent_points: z.int(),
    max_noise_percent: z.number(),
    p: z.number(),
  }),
});
export type RegressionVerdict = z.infer<typeof RegressionVerdict>;

const dayMs = 24 * 60 * 60 * 1000;

export const windowStart = (now: Instant): Instant => now - windowDays * dayMs;

/** Only the newest changes of the context are listed. */
const changesAtMost = 20;

const twoDecimals = (value: number): number => Math.round(value * 100) / 100 + 0;
const percentChange = (ratio: number): number => twoDecimals((ratio - 1) * 100);
const percentOrNull = (ratio: number | null): number | null => (ratio === null ? null : percentChange(ratio));

function stretchOf(points: readonly Point[]) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const values = points.map(({ value }) => value);
  return {
    values,
    shown: {
      points: points.length,
      median: median(values),
      from: toTimestamp(first.day),
      to: toTimestamp(last.day),
    },
  };
}

function baselineOf(points: readonly Point[]): RegressionVerdict["baseline"] {
  const stretch = stretchOf(points);
  return stretch && { ...stretch.shown, noise_percent: twoDecimals(noiseOf(stretch.values) * 100) };
}

/** Other scores that moved by the band or more, the largest drop first. */
function otherMetrics(
  { verdict, baseline, recent }: Decision<Point>,
  metric: JudgedMetric,
): RegressionVerdict["other_metrics"] {
  if (verdict === "undecidable") return [];
  const scores = (points: readonly Point[], key: MetricKey): number[] =>
    points.flatMap((point) => dailyScore(point, key) ?? []);
  const moved = MetricKey.options.flatMap((key) => {
    const [before, now] = [scores(baseline, key), scores(recent, key)];
    if (key === metric || before.length === 0 || now.length === 0) return [];
    const percent = (median(now) / median(before) - 1) * 100;
    return exceeds(regressionThresholds.band_percent, Math.abs(percent))
      ? []
      : [{ key, change_percent: twoDecimals(percent) }];
  });
  return moved.toSorted((one, other) => one.change_percent - other.change_percent);
}

function changesIn(comparable: readonly ScheduledRun[]): RegressionVerdict["context_changes"] {
  return contextChanges(comparable)
    .slice(-changesAtMost)
    .map(({ field, before, after, run }) => {
      const shown = shownPair(field, before, after);
      return { field, before: shown.before, after: shown.after, at: toTimestamp(run.finishedAt) };
    });
}

/** Undecidable if the runs are too old or their conditions are mixed, whatever the points say. */
function decideOnRuns({ fit, comparable }: SortedRuns, points: readonly Point[], now: Instant) {
  const decision = decide(points);
  const newest = comparable.at(-1);
  const undecidable = { ...decision, verdict: "undecidable", ratio: null } as const;
  if (newest && now - newest.finishedAt > staleDays * dayMs)
    return { ...undecidable, reason: "stale" } as const;
  const days = new Set(fit.map(({ finishedAt }) => utcDay(finishedAt))).size;
  const isSplit = points.length < regressionThresholds.min_points && days >= slowMinPoints;
  return isSplit ? ({ ...undecidable, reason: "mixed_conditions" } as const) : decision;
}

/** Takes runs in any order, and only those of the last 90 days. The regression alert uses it, too. */
export function judgeRegression(
  serverId: string,
  runs: readonly ScheduledRun[],
  now: Instant,
): RegressionVerdict {
  const from = windowStart(now);
  const inWindow = runs.filter(({ finishedAt }) => finishedAt >= from && finishedAt <= now);
  const sorted = sortRuns(inWindow);
  const points = dailyPoints(sorted.comparable, sorted.metric);
  const decision = decideOnRuns(sorted, points, now);
  const onset = decision.verdict === "regression" ? decision.recent[0] : undefined;
  return {
    server_id: serverId,
    rule_version: regressionRuleVersion,
    verdict: decision.verdict,
    reason: decision.reason,
    metric: sorted.metric,
    window: { days: windowDays, from: toTimestamp(from), to: toTimestamp(now) },
    group: sorted.group,
    runs: {
      total: inWindow.length,
      comparable: sorted.comparable.length,
      points: points.length,
      excluded: [...sorted.excluded],
    },
    baseline: baselineOf(decision.baseline),
    recent: stretchOf(decision.recent)?.shown ?? null,
    change_percent: percentOrNull(decision.ratio),
    lower_bound_percent: percentOrNull(decision.lowerBound),
    since: onset ? toTimestamp(onset.day) : null,
    first_report_id: onset?.runs[0]?.reportId ?? null,
    other_metrics: otherMetrics(decision, sorted.metric),
    context_changes: changesIn(sorted.comparable),
    thresholds: regressionThresholds,
  };
}
