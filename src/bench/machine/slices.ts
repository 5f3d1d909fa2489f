import { median } from "../../core/statistics/order.ts";
import type { TestResult } from "../bench-test.ts";
import type { MachineJob } from "./job.ts";

/** Slices of one run may differ by this share of the largest, percent; beyond it the run is repeated once. */
export const spreadLimitPercent = 8;

/** (max − min) / max, percent. */
export function spreadPercent(values: readonly number[]): number {
  const largest = Math.max(...values);
  return largest > 0 ? (100 * (largest - Math.min(...values))) / largest : 0;
}

/** A run of a test in slices, as a figure and by how much its slices differ. */
export interface Sliced {
  readonly spread: number;
}

/** Runs a measurement, and once more if its slices differ too much; then the steadier one of both counts. */
export async function steadier<Run extends Sliced>(
  job: MachineJob,
  measure: (job: MachineJob) => Promise<Run>,
): Promise<Run> {
  const first = await measure(job);
  if (first.spread <= spreadLimitPercent) return first;
  const second = await measure({ ...job, progress: (done) => job.progress((1 + done) / 2) });
  return second.spread < first.spread ? second : first;
}

interface SpreadMarks {
  readonly flags: { readonly unsteady: boolean };
  readonly witnesses: NonNullable<TestResult["witnesses"]>;
}

/** Whether the slices still differed in the run that counts, for people and for the diagnosis. */
export function spreadMarks({ spread }: Sliced): SpreadMarks {
  const rounded = Math.round(spread * 10) / 10;
  const isSteady = spread <= spreadLimitPercent;
  return {
    flags: { unsteady: !isSteady },
    witnesses: isSteady
      ? []
      : [{ key: "slice_spread_percent", expected: spreadLimitPercent, actual: rounded, unit: "percent" }],
  };
}

/** One slice: what was done in it, wall time and CPU time in seconds. */
export interface TimedSlice {
  readonly done: number;
  readonly wall: number;
  readonly cpu: number;
}

/** Rates of slices: their medians by wall and by CPU time. */
export const ratesOf = (
  slices: readonly TimedSlice[],
): { readonly perSecond: number; readonly perCpuSecond: number } => ({
  perSecond: median(slices.map(({ done, wall }) => done / wall)),
  perCpuSecond: median(slices.map(({ done, cpu }) => (cpu > 0 ? done / cpu : 0))),
});

/** CPU time of this process, s. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
