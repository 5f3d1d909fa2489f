import type { Instant } from "../../../src/core/time.ts";
import type { Json } from "../payload.ts";
import type { PlantedAnswers } from "./deliver.ts";
import type { PlantedHistory } from "./histories.ts";

/** What the answers about one server said, counted over all times at which somebody asked. */
export interface Score {
  /** Times at which the rules promise the finding, and at which it was there. */
  promised: number;
  found: number;
  /** Of those found: `since` within a bucket of the truth. */
  sinceRight: number;
  /** The largest error, minutes. */
  sinceOff: number;
  /** Of those with a change that explains them, it was named or not. */
  culpritRight: number;
  culpritMissing: number;
  /** An innocent change was named. */
  culpritWrong: number;
  /** Times at which the finding was there and is not promised by the truth. */
  false: number;
}

export const noScore = (): Score => ({
  promised: 0,
  found: 0,
  sinceRight: 0,
  sinceOff: 0,
  culpritRight: 0,
  culpritMissing: 0,
  culpritWrong: 0,
  false: 0,
});

/** Findings about how the server runs; the others are about rules, alerts and what is measured. */
const judgedCodes = new Set([
  "server_down",
  "server_unresponsive",
  "crash_loop",
  "crashed",
  "tick_over_budget",
  "memory_growing",
  "heap_near_full",
  "disk_nearly_full",
  "container_near_limit",
  "cpu_throttled",
  "slower_than_usual",
  "tick_spikes",
]);

export const findingsIn = (answer: Json): Json[] => answer["findings"] as Json[];

const subjectsOf = (finding: Json): unknown[] =>
  (finding["coincides_with"] as Json[]).map(({ subject }) => subject);

/** Adds what was said at one time. */
export function addAnswer(
  score: Score,
  { promised, innocent }: PlantedHistory,
  at: Instant,
  answer: Json,
): void {
  const findings = findingsIn(answer).filter(({ code }) => judgedCodes.has(String(code)));
  for (const finding of findings)
    if (subjectsOf(finding).some((subject) => innocent.includes(String(subject)))) score.culpritWrong += 1;
  if (promised === null || at < promised.from || at >= promised.until) return;
  score.promised += 1;
  const finding = findings.find(({ code }) => code === promised.code);
  if (!finding) return;
  score.found += 1;
  const off = Math.abs(Date.parse(String(finding["since"])) - promised.since);
  if (off <= promised.sinceWithin) score.sinceRight += 1;
  score.sinceOff = Math.max(score.sinceOff, Number.isNaN(off) ? Infinity : Math.round(off / 60_000));
  if (promised.culprit === null) return;
  if (subjectsOf(finding).includes(promised.culprit)) score.culpritRight += 1;
  else score.culpritMissing += 1;
}

/** The part of an answer that must be the same now and then, and however the data came. */
export const essenceOf = (answer: Json) => ({
  verdict: answer["verdict"],
  findings: findingsIn(answer)
    .filter(({ code }) => judgedCodes.has(String(code)))
    .map((finding) => ({
      code: finding["code"],
      severity: finding["severity"],
      since: finding["since"],
      coincides: subjectsOf(finding),
    })),
});

export function scoreOf(
  { history }: PlantedAnswers,
  answers: PlantedAnswers["live"],
  score = noScore(),
): Score {
  for (const { at, answer } of answers) addAnswer(score, history, at, answer);
  return score;
}

const share = (part: number, whole: number): string =>
  whole === 0 ? "" : String(Math.round((100 * part) / whole));

/** One line a kind: what was promised, %, and what it said of the beginning and of changes. */
export function scoreTable(rows: readonly (readonly [name: string, score: Score])[]): string {
  const head = ["", "asked", "found %", "since right %", "off, min", "culprit right", "wrong", "missing"];
  const lines = rows.map(([name, score]) => [
    name,
    String(score.promised),
    share(score.found, score.promised),
    share(score.sinceRight, score.found),
    score.found === 0 ? "" : String(score.sinceOff),
    String(score.culpritRight),
    String(score.culpritWrong),
    String(score.culpritMissing),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => (line[column] ?? "").length)),
  );
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
