import { parsedJson } from "../core/parsed-json.ts";
import { readFile } from "node:fs/promises";
import type { ReportComparison } from "../core/report/compare.ts";
import { comparePayloads } from "../core/report/payload-report.ts";
import { ReportPayload } from "../core/report/payload.ts";
import {
  blockerWords,
  comparisonCaveatWords,
  conditionWords,
  scoreWords,
  spelled,
} from "../dashboard/words/reports.ts";
import { wordsOfBoth } from "./bench-figures.ts";
import { CommandError, exitStatus, printResult } from "./output.ts";

/** The largest report that is read, bytes: the limit of an upload. */
const largestReport = 2 * 1024 * 1024;

export async function compareReportFiles({
  base,
  other,
  json,
}: {
  readonly base: string;
  readonly other: string;
  readonly json: boolean;
}): Promise<void> {
  const [one, two] = [await reportIn(base), await reportIn(other)];
  const comparison = comparePayloads(one, two);
  // Figures by different clocks are not set beside one another.
  const isBlocked = comparison.blocked_by === "measured_by";
  const figures = isBlocked ? [] : wordsOfBoth(one.tests, two.tests).map((line) => `  ${line}`);
  const measured = figures.length === 0 ? [] : ["", "What was measured, base and other:", ...figures];
  printResult(json, comparison, [...wordsOfComparison(comparison), ...measured]);
}

async function reportIn(path: string): Promise<ReportPayload> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${path} cannot be read (${why}).`, exitStatus.usage);
  });
  const read = text.length > largestReport ? null : ReportPayload.safeParse(parsedJson(text));
  if (read?.success) return read.data;
  throw new CommandError(`${path} is not a report. tickmark bench --out FILE writes one.`, exitStatus.usage);
}

/** A row for each score that both runs have, then the result and other differences. */
function wordsOfComparison({ metrics, summary, blocked_by, caveats, reports }: ReportComparison): string[] {
  const rows = metrics
    .filter(({ outcome }) => outcome === "leader" || outcome === "tie")
    .map(({ key, base, other, gap, outcome }) => {
      const percent = gap?.percent ?? null;
      const difference =
        outcome === "tie" || percent === null ? "tie" : `${percent > 0 ? "+" : ""}${percent} %`;
      return `${scoreWords[key].padEnd(14)}${String(base).padStart(6)}${String(other).padStart(8)}  ${difference}`;
    });
  const header = `${"".padEnd(14)}${"base".padStart(6)}${"other".padStart(8)}`;
  return [
    ...(rows.length === 0 ? [] : [header, ...rows, ""]),
    resultWords(summary, blocked_by, metrics),
    ...caveats.map(({ code }) => `Note: ${comparisonCaveatWords[code] ?? spelled(code)}`),
    ...(["base", "other"] as const).flatMap((side) => {
      const { conditions } = reports[side];
      return conditions === null ? [] : conditionWords(conditions).map((words) => `Of ${side}: ${words}`);
    }),
  ];
}

function resultWords(
  { outcome, leader }: ReportComparison["summary"],
  blockedBy: ReportComparison["blocked_by"],
  metrics: ReportComparison["metrics"],
): string {
  if (blockedBy !== null) return `The reports cannot be compared. ${blockerWords[blockedBy]}`;
  if (outcome === "leader") return `Result: the ${leader} report leads by its total.`;
  if (outcome === "tie") return "Result: a tie. Runs of one machine differ as much.";
  return metrics.some(({ key, outcome: row }) => key === "hardware" && row !== "missing")
    ? "Result: undecided, because a total needs the game tests. The row Hardware compares the machines."
    : "Result: undecided, because a report has no scores. A standard run of all tests has.";
}
