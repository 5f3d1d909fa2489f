import { median } from "../../core/statistics/order.ts";
import type { TestResult } from "../bench-test.ts";

/** Slices may differ by this percentage of the largest; beyond it, the test is repeated once. */
export const spreadLimitPercent = 8;

/** (max − min) / max, percent. */
export function spreadPercent(values: readonly number[]): number {
  const largest = Math.max(...values);
  return largest > 0 ? (100 * (largest - Math.min(...values))) / largest : 0;
}

export interface Sliced {
  readonly spread: number;
}

const spreadKey = "slice_spread_percent";

interface SpreadMarks {
  readonly flags: { readonly unsteady: boolean };
  readonly witnesses: NonNullable<TestResult["witnesses"]>;
}

/** Marks a run whose slices differ too much: for people, the diagnosis, and the run, which repeats it. */
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

/** The spread of an unsteady test, percent; 0 for a steady test. */
export const spreadBeyondLimit = ({ flags, witnesses }: Pick<TestResult, "flags" | "witnesses">): number =>
  flags?.["unsteady"] === true ? (witnesses?.find(({ key }) => key === spreadKey)?.actual ?? 0) : 0;

/** `wall` and `cpu` in seconds. */
export interface TimedSlice {
  readonly done: number;
  readonly wall: number;
  readonly cpu: number;
}

export const ratesOf = (
  slices: readonly TimedSlice[],
): { readonly perSecond: number; readonly perCpuSecond: number } => ({
  perSecond: median(slices.map(({ done, wall }) => done / wall)),
  perCpuSecond: median(slices.map(({ done, cpu }) => (cpu > 0 ? done / cpu : 0))),
});

export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
