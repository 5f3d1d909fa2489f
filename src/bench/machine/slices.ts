import { median } from "../../core/statistics/order.ts";
import type { TestResult } from "../bench-test.ts";

/** Slices of one run may differ by this share of the largest, percent; beyond it the test is repeated once. */
export const spreadLimitPercent = 8;

/** (max − min) / max, percent. */
export function spreadPercent(values: readonly number[]): number {
  const largest = Math.max(...values);
  return largest > 0 ? (100 * (largest - Math.min(...values))) / largest : 0;
}

/** A run of a test in slices, by how much its slices differ. */
export interface Sliced {
  readonly spread: number;
}

/** The witness of a run whose slices differ too much. */
const spreadKey = "slice_spread_percent";

interface SpreadMarks {
  readonly flags: { readonly unsteady: boolean };
  readonly witnesses: NonNullable<TestResult["witnesses"]>;
}

/** Whether the slices differ too much, for people, for the diagnosis, and for the run, which repeats such a test. */
export function spreadMarks({ spread }: Sliced): SpreadMarks {
  const rounded = Math.round(spread * 10) / 10;
  const isSteady = spread <= spreadLimitPercent;
  return {
    flags: { unsteady: !isSteady },
    witnesses: isSteady
      ? []
      : [{ key: spreadKey, expected: spreadLimitPercent, actual: rounded, unit: "percent" }],
  };
}

/** By how much the slices of a test differ, percent, if it is too much; 0 for a steady test. */
export const spreadBeyondLimit = ({ flags, witnesses }: Pick<TestResult, "flags" | "witnesses">): number =>
  flags?.["unsteady"] === true ? (witnesses?.find(({ key }) => key === spreadKey)?.actual ?? 0) : 0;

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
