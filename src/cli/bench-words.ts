import { MetricKey } from "../core/report/compare.ts";
import type { BenchReport } from "../bench/report.ts";
import type { DiagnosisFinding } from "../core/report/diagnosis/finding.ts";
import { missingWords } from "../core/report/lead-score.ts";
import { describePayload, type DescribedPayload } from "../core/report/payload-report.ts";
import { ReportPayload } from "../core/report/payload.ts";
import type { Recommendation } from "../core/report/tuning/recommendation.ts";
import { adviceWords, findingWords } from "../dashboard/words/diagnosis.ts";
import { scoreWords, spelled } from "../dashboard/words/reports.ts";
import { wordsOfMeasured } from "./bench-figures.ts";

export function wordsOfReport(body: BenchReport): string[] {
  const described = describePayload(ReportPayload.parse(body));
  const { report, diagnosis, tuning } = described;
  const { cpu_name, available_processors, ram_gb, disk_type } = report.hardware;
  return [
    `${cpu_name ?? "Unknown processor"}, ${available_processors ?? "?"} processors, ${ram_gb ?? "?"} GB of memory, disk: ${disk_type ?? "unknown"}`,
    "",
    ...wordsOfScores(described),
    ...titled("What was measured:", body.tests.map(wordsOfMeasured)),
    ...titled("What limits it:", diagnosis.findings.map(wordsOfFinding)),
    ...titled("What to change:", tuning.recommendations.map(wordsOfAdvice)),
  ];
}

/** In the order of the report's page; scores that were not measured are named below. */
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
