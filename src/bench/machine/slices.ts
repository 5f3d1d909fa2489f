import type { MeasuredBy } from "../../core/report/conditions.ts";
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

/** Done in a second of each slice, by one of the clocks. */
export const ratesBy = (clock: MeasuredBy, slices: readonly TimedSlice[]): number[] =>
  slices.map(({ done, wall, cpu }) => {
    const seconds = clock === "cpu_time" ? cpu : wall;
    return seconds > 0 ? done / seconds : 0;
  });

/** The speed by wall time is left out where the machine was in use on purpose: it would say nothing. */
export const speedsOf = (slices: readonly TimedSlice[], clock: MeasuredBy) => ({
  ...(clock === "wall_time" ? { ops_per_second: median(ratesBy("wall_time", slices)) } : {}),
  ops_per_cpu_second: median(ratesBy("cpu_time", slices)),
});

export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
