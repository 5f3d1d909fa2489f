import type { ChartData } from "../chart/chart-data.ts";

/** One metric, and the limits of a threshold on it. */
export interface RuleHistoryData extends ChartData {
  readonly limits: {
    readonly min: number;
    readonly max: number;
    readonly integer: boolean;
    /** The highest possible value; null if there is none. */
    readonly highest: number | null;
  };
}
