import { median } from "../../statistics/order.ts";
import type { MetricKey } from "../../report/compare.ts";
import { utcDay, type Instant } from "../../time.ts";
import type { ScheduledRun } from "./run.ts";

/** One UTC day of comparable runs: three runs of one job are one measurement, not three. */
export interface Point {
  readonly day: Instant;
  /** The median of the judged score over the day, above 0. */
  readonly value: number;
  readonly runs: readonly ScheduledRun[];
}

/** The median of the day's runs that have the score; null if none has. */
export function dailyScore({ runs }: Point, key: MetricKey): number | null {
  const values = runs.flatMap(({ scores }) => {
    const score = scores[key];
    return score !== null && score > 0 ? [score] : [];
  });
  return values.length > 0 ? median(values) : null;
}

/** All runs must have the score and come oldest first, as the points do. */
export function dailyPoints(comparable: readonly ScheduledRun[], metric: MetricKey): Point[] {
  const days = new Map<Instant, ScheduledRun[]>();
  for (const run of comparable) {
    const day = utcDay(run.finishedAt);
    const runs = days.get(day) ?? [];
    runs.push(run);
    days.set(day, runs);
  }
  return [...days].map(([day, runs]) => ({
    day,
    value: median(runs.map(({ scores }) => scores[metric] ?? 0)),
    runs,
  }));
}
