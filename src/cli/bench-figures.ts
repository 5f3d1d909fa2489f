import type { FinishedTest } from "../bench/run-tests.ts";
import { disturbedReason } from "../core/report/conditions.ts";
import type { PayloadTest } from "../core/report/payload-test.ts";
import { plainFigure } from "../dashboard/words/plain-figure.ts";
import { testReasonWords } from "../dashboard/words/reports.ts";

type FigureRow = readonly [key: string, before: string, unit: string];

/** The figures that people see, each with a word before it and a unit. */
const figures: readonly FigureRow[] = [
  ["ops_per_second", "", "operations/s"],
  ["threads", "", "threads"],
  ["read_gb_s", "read", "GB/s"],
  ["write_gb_s", "write", "GB/s"],
  ["copy_gb_s", "copy", "GB/s"],
  ["latency_ns", "", "ns"],
  ["read_mb_s", "read", "MB/s"],
  ["write_mb_s", "write", "MB/s"],
  ["read_iops", "", "reads/s"],
  ["read_p99_ms", "99 % of reads within", "ms"],
  ["write_iops", "", "writes/s"],
  ["write_p99_ms", "99 % of writes within", "ms"],
  ["chunks_per_second", "", "chunks/s"],
  ["entity_ticks_per_ms", "", "entity ticks/ms"],
  ["updates_per_ms", "", "updates/ms"],
  ["transfers_per_ms", "", "transfers/ms"],
];

/** Shown only where there is no speed by wall time, or it is not the machine's own. */
const byCpuTime: FigureRow = ["ops_per_cpu_second", "", "operations/CPU s"];

type Metrics = PayloadTest["metrics"] | undefined;

const rowsOf = (metrics: Metrics, isBusy: boolean): readonly FigureRow[] =>
  isBusy || typeof metrics?.["ops_per_second"] !== "number" ? [...figures, byCpuTime] : figures;

const wordsOfMetrics = (metrics: Metrics, isBusy: boolean): string[] =>
  rowsOf(metrics, isBusy).flatMap(([key, before, unit]) => {
    const value = metrics?.[key];
    return typeof value === "number" ? `${before} ${plainFigure(value)} ${unit}`.trim() : [];
  });

/** Such as `Memory latency: done in 12 s`. */
export function wordsOfEnd({ test_name, outcome, reason_code, duration_ms }: FinishedTest): string {
  const seconds = Math.round((duration_ms ?? 0) / 1000);
  if (outcome === "success") return `${test_name}: done in ${seconds} s`;
  const why = reason_code ? testReasonWords(reason_code) : "unknown";
  if (outcome === "failure") return `${test_name}: not finished (${why}) after ${seconds} s`;
  return reason_code === disturbedReason
    ? `${test_name}: not judged (${why})`
    : `${test_name}: ${outcome} (${why})`;
}

/** Such as `Memory latency: 98.2 ns`. */
export function wordsOfMeasured(test: FinishedTest): string {
  const { test_name, outcome, metrics, host_limit } = test;
  const isBusy = test.reason_code === disturbedReason;
  if (outcome !== "success" && !isBusy) return wordsOfEnd(test);
  const measured = wordsOfMetrics(metrics, isBusy);
  const indirect = metrics?.["direct_io"] === false ? ["the file system has no direct IO"] : [];
  const limited = host_limit ? [`limited by ${host_limit.setting}`] : [];
  const words = measured.length === 0 ? ["not measured"] : measured;
  return `${isBusy ? wordsOfEnd(test) : test_name}: ${[...words, ...indirect, ...limited].join(", ")}`;
}

/** Figures of both, such as `CPU, all cores: 1,459,500 and 750,751 operations/s (-49 %)`, in % of the first. */
export function wordsOfBoth(base: readonly PayloadTest[], other: readonly PayloadTest[]): string[] {
  const found = new Map(other.map((test) => [test.test_id, test]));
  return base.flatMap(({ test_id, test_name, metrics }) => {
    const pairs = rowsOf(metrics, false).flatMap(([key, before, unit]) => {
      const [one, two] = [metrics?.[key], found.get(test_id)?.metrics?.[key]];
      if (typeof one !== "number" || typeof two !== "number") return [];
      const percent = one === 0 ? 0 : Math.round((100 * (two - one)) / one);
      const change = percent === 0 ? "" : ` (${percent > 0 ? "+" : ""}${percent} %)`;
      return `${before} ${plainFigure(one)} and ${plainFigure(two)} ${unit}${change}`.trim();
    });
    return pairs.length === 0 ? [] : `${test_name ?? test_id}: ${pairs.join(", ")}`;
  });
}
