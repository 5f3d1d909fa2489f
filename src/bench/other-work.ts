import { disturbedReason, othersDisturbFrom } from "../core/report/conditions.ts";
import type { BenchTest, TestResult } from "./bench-test.ts";

/** What other programs did while a test, or a run, worked. Null: it is not known. */
export interface OtherWork {
  /** CPU time of all programs but those of the run, percent of one core. */
  readonly cpuPercent: number | null;
  /** The part of `cpuPercent` in user mode. */
  readonly userPercent: number | null;
  /** Share of the time in which some program waited for a processor, percent; the run's own count too. */
  readonly stallPercent: number | null;
}

/** Counts what other programs do. */
export interface OtherWorkWatch {
  /** Percent of one core that other programs may use in a test. */
  readonly limitPercent: number;
  /** Begins a count; the function returned ends it. */
  begin(): Promise<() => Promise<OtherWork>>;
}

/** Keys of witnesses; the expected value of each is 0, as on a quiet machine. */
const keys = {
  cpu: "other_cpu_percent",
  disk: "other_disk_percent",
  stall: "cpu_pressure_percent",
} as const;

type Witnesses = NonNullable<TestResult["witnesses"]>;

const witness = (key: string, value: number | null): Witnesses =>
  value === null ? [] : [{ key, expected: 0, actual: Math.round(value * 10) / 10, unit: "percent" }];

/** Of what a disk did in a time, in operations or bytes: the share that was not the test's. */
export const otherDiskWitness = (all: number | null, own: number): Witnesses =>
  all === null || all <= 0 ? [] : witness(keys.disk, Math.max(0, (100 * (all - own)) / all));

/**
 * The kernel works for the test's own disk, too: of a disk test only what others computed in user mode
 * counts here, and what they did to the disk is a witness of its own.
 */
export const otherWorkWitnesses = ({ category }: Pick<BenchTest, "category">, work: OtherWork): Witnesses => [
  ...witness(keys.cpu, category === "disk" ? work.userPercent : work.cpuPercent),
  ...witness(keys.stall, work.stallPercent),
];

type Witnessed = Pick<TestResult, "outcome" | "witnesses">;

const actualOf = ({ witnesses }: Witnessed, key: string): number =>
  witnesses?.find((each) => each.key === key)?.actual ?? 0;

/** What disturbed a test that succeeded, for people; null if nothing did. */
export function disturbanceOf(result: Witnessed, limitPercent: number): string | null {
  const [cpu, disk] = [actualOf(result, keys.cpu), actualOf(result, keys.disk)];
  if (result.outcome !== "success") return null;
  if (cpu > limitPercent) return `other programs used ${Math.round(cpu)} % of a core`;
  if (disk > othersDisturbFrom) return `other programs did ${Math.round(disk)} % of the disk's work`;
  return null;
}

/** What was measured stays beside the reason, and no score, finding or advice is made of it. */
export const asBusy = <Result extends TestResult>(result: Result) =>
  ({ ...result, outcome: "skipped", success: false, reason_code: disturbedReason }) as const;
