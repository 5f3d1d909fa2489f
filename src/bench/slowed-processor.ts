import { slowedFrom } from "../core/report/conditions.ts";
import type { BenchTest, TestResult } from "./bench-test.ts";
import { asBusy } from "./other-work.ts";

/** The two tests of the same work: on one core, and on all at once. */
const oneCore = "cpu_single_core";
const allCores = "cpu_multi_core";

type Judged = Pick<TestResult, "outcome" | "metrics" | "flags" | "witnesses">;

const speedOf = ({ outcome, metrics }: Judged): number | null => {
  const speed = metrics?.["ops_per_cpu_second"];
  return outcome === "success" && typeof speed === "number" && speed > 0 ? speed : null;
};

/** Whether a test is judged by the next one, so that its result does not count yet. */
export const isJudgedLater = ({ id }: BenchTest, later: readonly BenchTest[]): boolean =>
  id === oneCore && later.some((test) => test.id === allCores);

export const judgesFormer = ({ id }: BenchTest): boolean => id === allCores;

/**
 * By how many percent the processor was slower while one core worked than while all did, as on a shared host whose
 * other guests are at work: nothing in this system shows them. 0 if it was not, or if that is not known.
 */
export function slowedPercent(one: Judged, all: Judged): number {
  const [alone, together] = [speedOf(one), speedOf(all)];
  if (alone === null || together === null) return 0;
  const percent = 100 * (1 - alone / together);
  return percent > slowedFrom ? Math.round(percent) : 0;
}

/** The one that shows the processor quicker. */
export const quickerOf = <Result extends Judged>(first: Result, second: Result): Result =>
  (speedOf(second) ?? 0) > (speedOf(first) ?? 0) ? second : first;

/** A result that is slow both times is not judged, and says by how much the processor was slower. */
export const asSlowed = <Result extends TestResult>(result: Result, percent: number) =>
  asBusy({
    ...result,
    witnesses: [
      ...(result.witnesses ?? []),
      { key: "processor_slowed_percent", expected: 0, actual: percent, unit: "percent" },
    ],
  });
