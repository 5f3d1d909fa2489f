import type { ChartData } from "../chart/chart-data.ts";

/** The chart of a rule's form: one metric, and what a threshold on it may be. */
export interface RuleHistoryData extends ChartData {
  readonly limits: {
    readonly min: number;
    readonly max: number;
    readonly integer: boolean;
    /** The highest value there can be; null where there is none. */
    readonly highest: number | null;
  };
}
