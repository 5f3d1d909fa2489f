import type { ReportBody } from "../bench/report.ts";
import type { FinishedTest } from "../bench/run-tests.ts";
import { findingsIn } from "../core/report/diagnosis/diagnosis.ts";
import type { DiagnosisFinding } from "../core/report/diagnosis/finding.ts";
import { ReportPayload } from "../core/report/payload.ts";
import { scoreReport } from "../core/report/scoring.ts";
import { recommendationsFor } from "../core/report/tuning/tuning-advice.ts";
import type { Recommendation } from "../core/report/tuning/recommendation.ts";
import { adviceWords, findingWords } from "../dashboard/words/diagnosis.ts";
import { scoreWords, spelled } from "../dashboard/words/reports.ts";

/** One finished test, such as `memory_latency: 98.2 ns, in 12 s`. */
export function wordsOfTest({
  test_id,
  outcome,
  reason_code,
  metrics,
  duration_ms,
  host_limit,
}: FinishedTest): string {
  const seconds = `in ${Math.round((duration_ms ?? 0) / 1000)} s`;
  const figures = Object.entries(metrics ?? {}).flatMap(([key, value]) =>
    typeof value === "number" ? `${key} ${rounded(value)}` : [],
  );
  const limited = host_limit ? [`limited by ${host_limit.setting}`] : [];
  const ended = outcome === "success" ? figures : [`${outcome}${reason_code ? ` (${reason_code})` : ""}`];
  return `${test_id}: ${[...ended, ...limited, seconds].join(", ")}`;
}

/** A report for a terminal: the scores, what each part measured, findings, and what to change. */
export function wordsOfReport(body: ReportBody): string[] {
  const payload = ReportPayload.parse(body);
  const scoring = scoreReport(payload);
  const { scores, sub_scores } = scoring;
  const rows = { hardware: scores.hardware, single_core: scores.single_core, ...sub_scores };
  const { hardware, benchmark_mode } = payload;
  return [
    `${hardware.cpu_name ?? "Unknown processor"}, ${hardware.available_processors ?? "?"} processors, ${hardware.ram_gb ?? "?"} GiB, disk ${hardware.disk_type ?? "unknown"}`,
    "",
    ...(benchmark_mode === "custom"
      ? ["A custom run has no scores: it leaves out tests, or has another length."]
      : [
          ...[
            ["total", scores.total] as const,
            ["gameplay", scores.gameplay] as const,
            ...entriesOf(rows),
          ].map(([key, score]) => `${scoreWords[key].padEnd(24)}${score === 0 ? "not measured" : score}`),
          "1000 is a mid-range host of 2026; twice the score is twice as fast.",
        ]),
    "",
    ...body.tests.map(wordsOfTest),
    ...titled("What limits it:", findingsIn(payload).map(wordsOfFinding)),
    ...titled("What to change:", recommendationsFor(payload).map(wordsOfAdvice)),
  ];
}

const entriesOf = <T extends object>(of: T) => Object.entries(of) as [keyof T, T[keyof T]][];

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
