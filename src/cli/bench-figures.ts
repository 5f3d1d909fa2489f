import type { FinishedTest } from "../bench/run-tests.ts";
import type { PayloadTest } from "../core/report/payload-test.ts";
import { spelled } from "../dashboard/words/reports.ts";

/** The figures that people see, each with a word before it and a unit. */
const figures: Readonly<Record<string, readonly [before: string, unit: string]>> = {
  ops_per_second: ["", "operations/s"],
  threads: ["", "threads"],
  read_gb_s: ["read", "GB/s"],
  write_gb_s: ["write", "GB/s"],
  copy_gb_s: ["copy", "GB/s"],
  latency_ns: ["", "ns"],
  read_mb_s: ["read", "MB/s"],
  write_mb_s: ["write", "MB/s"],
  read_iops: ["", "reads/s"],
  read_p99_ms: ["99 % of reads within", "ms"],
  write_iops: ["", "writes/s"],
  write_p99_ms: ["99 % of writes within", "ms"],
  chunks_per_second: ["", "chunks/s"],
  entity_ticks_per_ms: ["", "entity ticks/ms"],
  updates_per_ms: ["", "updates/ms"],
  transfers_per_ms: ["", "transfers/ms"],
};

/** Such as `Memory latency: done in 12 s`. */
export function wordsOfEnd({ test_name, outcome, reason_code, duration_ms }: FinishedTest): string {
  const seconds = Math.round((duration_ms ?? 0) / 1000);
  if (outcome === "success") return `${test_name}: done in ${seconds} s`;
  return `${test_name}: ${outcome} (${spelled(reason_code ?? "unknown").toLowerCase()})`;
}

/** Such as `Memory latency: 98.2 ns`. */
export function wordsOfMeasured(test: FinishedTest): string {
  const { test_name, outcome, metrics, host_limit } = test;
  if (outcome !== "success") return wordsOfEnd(test);
  const measured = Object.entries(figures).flatMap(([key, [before, unit]]) => {
    const value = metrics?.[key];
    return typeof value === "number" ? `${before} ${rounded(value)} ${unit}`.trim() : [];
  });
  const indirect = metrics?.["direct_io"] === false ? ["the file system has no direct IO"] : [];
  const limited = host_limit ? [`limited by ${host_limit.setting}`] : [];
  const words = measured.length === 0 ? ["not measured"] : measured;
  return `${test_name}: ${[...words, ...indirect, ...limited].join(", ")}`;
}

/** Figures of both, such as `CPU, all cores: 1459500 and 750751 operations/s (-49 %)`, in % of the first. */
export function wordsOfBoth(base: readonly PayloadTest[], other: readonly PayloadTest[]): string[] {
  const found = new Map(other.map((test) => [test.test_id, test]));
  return base.flatMap(({ test_id, test_name, metrics }) => {
    const pairs = Object.entries(figures).flatMap(([key, [before, unit]]) => {
      const [one, two] = [metrics?.[key], found.get(test_id)?.metrics?.[key]];
      if (typeof one !== "number" || typeof two !== "number") return [];
      const percent = one === 0 ? 0 : Math.round((100 * (two - one)) / one);
      const change = percent === 0 ? "" : ` (${percent > 0 ? "+" : ""}${percent} %)`;
      return `${before} ${rounded(one)} and ${rounded(two)} ${unit}${change}`.trim();
    });
    return pairs.length === 0 ? [] : `${test_name ?? test_id}: ${pairs.join(", ")}`;
  });
}

/** Three figures of a number are enough to compare by eye. */
const rounded = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
