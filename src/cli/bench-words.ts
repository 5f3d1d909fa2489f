import { MetricKey } from "../core/report/compare.ts";
import type { BenchReport } from "../bench/report.ts";
import type { FinishedTest } from "../bench/run-tests.ts";
import type { DiagnosisFinding } from "../core/report/diagnosis/finding.ts";
import { missingWords } from "../core/report/lead-score.ts";
import { describePayload, type DescribedPayload } from "../core/report/payload-report.ts";
import { ReportPayload } from "../core/report/payload.ts";
import type { Recommendation } from "../core/report/tuning/recommendation.ts";
import { adviceWords, findingWords } from "../dashboard/words/diagnosis.ts";
import { scoreWords, spelled } from "../dashboard/words/reports.ts";

/** The figures of tests for people: what stands before one, and its unit. Other figures are for programs. */
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

/** The end of a test, such as `Memory latency: done in 12 s`. */
export function wordsOfEnd({ test_name, outcome, reason_code, duration_ms }: FinishedTest): string {
  const seconds = Math.round((duration_ms ?? 0) / 1000);
  if (outcome === "success") return `${test_name}: done in ${seconds} s`;
  return `${test_name}: ${outcome} (${spelled(reason_code ?? "unknown").toLowerCase()})`;
}

/** What a test measured, such as `Memory latency: 98.2 ns`. */
function wordsOfTest(test: FinishedTest): string {
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

/** A report for a terminal: the scores, what each part measured, findings, and what to change. */
export function wordsOfReport(body: BenchReport): string[] {
  const described = describePayload(ReportPayload.parse(body));
  const { report, diagnosis, tuning } = described;
  const { cpu_name, available_processors, ram_gb, disk_type } = report.hardware;
  return [
    `${cpu_name ?? "Unknown processor"}, ${available_processors ?? "?"} processors, ${ram_gb ?? "?"} GiB of memory, disk: ${disk_type ?? "unknown"}`,
    "",
    ...wordsOfScores(described),
    ...titled("What was measured:", body.tests.map(wordsOfTest)),
    ...titled("What limits it:", diagnosis.findings.map(wordsOfFinding)),
    ...titled("What to change:", tuning.recommendations.map(wordsOfAdvice)),
  ];
}

/** The scores in the order of the report's page; a score that was not measured is left out, and named below. */
function wordsOfScores({ report, lead }: DescribedPayload): string[] {
  if (report.benchmark_mode === "custom")
    return ["A custom run has no scores: tests are missing, or have another length."];
  const scores = { ...report.scores, ...report.sub_scores };
  const measured = MetricKey.options.filter((key) => (scores[key] ?? 0) > 0);
  const missing = missingWords(lead);
  return [
    ...measured.map((key) => `${scoreWords[key].padEnd(14)}${String(scores[key]).padStart(6)}`),
    ...(missing === "" ? [] : [`No total: ${missing}.`]),
    "1000 is a mid-range host of 2026. Twice the score is twice as fast.",
  ];
}

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];

function wordsOfFinding({ code, severity, subject, evidence }: DiagnosisFinding): string {
  const about = subject === null ? "" : ` (${subject})`;
  const figures = evidence.map(({ key, value, unit }) =>
    `${spelled(key ?? "")} ${value} ${unit ?? ""}`.trim(),
  );
  return `${severity}: ${findingWords[code]}${about}: ${figures.join(", ")}`;
}

function wordsOfAdvice({ code, setting, suggested }: Recommendation): string {
  const where = [setting.file, setting.key].filter((part) => part !== null).join(" ");
  const change = where === "" || suggested === null ? "" : `: ${where} = ${suggested}`;
  return `${adviceWords[code]}${change}`;
}

/** Three figures of a number are enough to compare by eye. */
const rounded = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
