import type { PayloadTest } from "./payload-test.ts";
import type { ReportPayload } from "./payload.ts";

/** `part` in percent of `whole`; null when either is unknown or the whole is 0. */
export const percentOf = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : (100 * part) / whole;

/** Share of scheduling periods in which the host's CPU quota stopped the server, percent; null: unknown. */
export const throttledPercent = ({ host }: ReportPayload): number | null =>
  percentOf(host.throttled_periods, host.total_periods);

/** Time in stop-the-world pauses, percent of the gameplay phase; null if pauses or length are unknown. */
export const gcPercent = ({ gc, ticks }: ReportPayload): number | null =>
  percentOf(gc.pause_total_ms, ticks.duration_seconds === null ? null : 1000 * ticks.duration_seconds);

/** Plugins before 1.8.0 report only whether a test succeeded: `unsuccessful` if it did not. */
export const endOf = ({
  outcome,
  success,
}: PayloadTest): "success" | "failure" | "skipped" | "unsuccessful" =>
  outcome ?? (success ? "success" : "unsuccessful");

const numberIn = (metrics: PayloadTest["metrics"], key: string): number | null => {
  const value = metrics?.[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};

/** From the first test of that id that succeeded; null if there is none, or no finite number. */
export function measuredMetric({ tests }: ReportPayload, testId: string, key: string): number | null {
  const test = tests.find(({ test_id, success }) => test_id === testId && success);
  return numberIn(test?.metrics ?? null, key);
}

/** 4K random access to the disk itself, ms and operations a second. */
export interface DirectDisk {
  readonly readP99Ms: number | null;
  readonly writeP99Ms: number | null;
  readonly readIops: number | null;
}

/** Without those that the page cache may have answered; only a custom run can have more than one. */
export const directDisks = ({ tests }: ReportPayload): DirectDisk[] =>
  tests.flatMap(({ test_id, success, metrics }) =>
    test_id === "disk_random_4k" && success && metrics?.["direct_io"] === true
      ? [
          {
            readP99Ms: numberIn(metrics, "read_p99_ms"),
            writeP99Ms: numberIn(metrics, "write_p99_ms"),
            readIops: numberIn(metrics, "read_iops"),
          },
        ]
      : [],
  );

/** The slower of the 99th percentiles of direct reads and writes, ms; null when neither was measured. */
export function directP99Ms({ readP99Ms, writeP99Ms }: DirectDisk): number | null {
  const known = [readP99Ms, writeP99Ms].filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
