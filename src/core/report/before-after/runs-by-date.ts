import type { ReportRecord } from "../records.ts";
import type { RunSides } from "./input.ts";

/** On each side. More would show smaller changes, but fewer runs are usual. */
const runsPerSide = 5;

/** Whether the scores of two runs are on one scale. */
const isOnScaleOf = ({ content: one }: ReportRecord, { content: other }: ReportRecord): boolean =>
  one.benchmark_mode === other.benchmark_mode && one.algorithm_version === other.algorithm_version;

/**
 * At most five runs a side, those next to the change, of the mode and algorithm version of the first run after it (the
 * last one before it, if there is none). Both lists begin next to the change.
 */
export function runsByDate(sides: Readonly<Record<"before" | "after", readonly ReportRecord[]>>): RunSides {
  const nearest = sides.after[0] ?? sides.before[0];
  const idsOf = (side: readonly ReportRecord[]): string[] =>
    side
      .filter((run) => nearest !== undefined && isOnScaleOf(run, nearest))
      .slice(0, runsPerSide)
      .map(({ id }) => id);
  return { before: idsOf(sides.before), after: idsOf(sides.after) };
}
