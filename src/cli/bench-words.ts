import { MetricKey } from "../core/report/compare.ts";
import type { ProgramShare } from "../bench/machine/others/process-times.ts";
import type { BenchReport } from "../bench/report.ts";
import type { DiagnosisFinding } from "../core/report/diagnosis/finding.ts";
import { missingWords } from "../core/report/lead-score.ts";
import { describePayload, type DescribedPayload } from "../core/report/payload-report.ts";
import { ReportPayload } from "../core/report/payload.ts";
import { runConditions } from "../core/report/run-conditions.ts";
import type { Recommendation } from "../core/report/tuning/recommendation.ts";
import { adviceWords, findingDetails, findingTitle } from "../dashboard/words/diagnosis.ts";
import { conditionWords, scoreWords } from "../dashboard/words/reports.ts";
import { wordsOfMeasured } from "./bench-figures.ts";

/** `busiest`: the programs that ran beside it. */
export function wordsOfReport(body: BenchReport, busiest: readonly ProgramShare[]): string[] {
  const described = describePayload(ReportPayload.parse(body));
  const conditions = wordsOfConditions(body, busiest);
  const { report, diagnosis, tuning } = described;
  const { cpu_name, available_processors, ram_gb, disk_type } = report.hardware;
  return [
    `${cpu_name ?? "Unknown processor"}, ${available_processors ?? "?"} processors, ${ram_gb ?? "?"} GB of memory, disk: ${disk_type ?? "unknown"}`,
    "",
    ...(conditions.length === 0 ? [] : [...conditions, ""]),
    ...wordsOfScores(described),
    ...titled("What was measured:", body.tests.map(wordsOfMeasured)),
    ...titled(
      "What limits it:",
      diagnosis.findings.map((finding) => wordsOfFinding(finding, body.tests)),
    ),
    ...titled("What to change:", tuning.recommendations.map(wordsOfAdvice)),
  ];
}

/** What else the machine did; empty for a run of a machine at rest. */
export function wordsOfConditions(body: BenchReport, busiest: readonly ProgramShare[]): string[] {
  const conditions = runConditions(ReportPayload.parse(body));
  const words = conditions === null ? [] : conditionWords(conditions);
  return words.length === 0 ? [] : [...words, ...wordsOfBusiest(busiest)];
}

/** Such as `The busiest beside it: java 61 %, node 20 % of a core.` */
export function wordsOfBusiest(busiest: readonly ProgramShare[]): string[] {
  if (busiest.length === 0) return ["No program beside it can be seen from here that used 1 % of a core."];
  const named = busiest.map(({ name, cpuPercent }) => `${name} ${cpuPercent} %`).join(", ");
  return [`The busiest beside it: ${named} of a core.`];
}

/** In the order of the report's page; scores that were not measured are named below. */
function wordsOfScores({ report, lead }: DescribedPayload): string[] {
  if ((report.conditions?.busy_tests.length ?? 0) > 0)
    return [
      "No scores. Run it again when the machine is at rest, or measure the processor with --while-serving.",
    ];
  if (report.conditions?.measured_by === "cpu_time") return [];
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

function wordsOfFinding(finding: DiagnosisFinding, tests: BenchReport["tests"]): string {
  const { severity, subject } = finding;
  const name = tests.find(({ test_id }) => test_id === subject)?.test_name ?? subject;
  const about = name === null ? "" : ` (${name})`;
  const details = findingDetails(finding);
  return `${severity}: ${findingTitle(finding)}${about}${details === "" ? "" : `: ${details}`}`;
}

function wordsOfAdvice({ code, setting, suggested }: Recommendation): string {
  const where = [setting.file, setting.key].filter((part) => part !== null).join(" ");
  const change = where === "" || suggested === null ? "" : `: ${where} = ${suggested}`;
  return `${adviceWords[code]}${change}`;
}
