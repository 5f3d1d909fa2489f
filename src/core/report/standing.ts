import { z } from "zod";
import { MetricKey } from "./compare.ts";
import type { ReportDetail } from "./report.ts";

/** With fewer reports a rank says nothing. */
export const fewestRanked = 20;

/** The share of the `reports` that are strictly below the score, whole percent, rounded down. */
const ScoreStanding = z.object({ faster_than_percent: z.int(), reports: z.int() }).nullable();

/** Ranks among the public reports of the service; null for a score that is not ranked. */
export const Standing = z.object({
  total: ScoreStanding,
  single_core: ScoreStanding,
  gameplay: ScoreStanding,
  hardware: ScoreStanding,
  memory: ScoreStanding,
  disk: ScoreStanding,
  multi_core: ScoreStanding,
  exploration: ScoreStanding,
  entities: ScoreStanding,
  mechanics: ScoreStanding,
} satisfies Record<MetricKey, z.ZodType>);
export type Standing = z.infer<typeof Standing>;

/** `percentiles`: 100 nearest-rank percentiles; null if too few reports have the score. */
export type ScoreRanks = { readonly reports: number; readonly percentiles: readonly number[] } | null;
export type Ranks = Readonly<Record<MetricKey, ScoreRanks>>;

type Scored = Pick<ReportDetail, "scores" | "sub_scores">;

const scoresOf = ({ scores, sub_scores }: Scored): Record<MetricKey, number | null> => ({
  ...scores,
  ...sub_scores,
});

export type CollectedScores = Readonly<Record<MetricKey, number[]>>;

export const noScores = (): CollectedScores => ({
  total: [],
  single_core: [],
  gameplay: [],
  hardware: [],
  memory: [],
  disk: [],
  multi_core: [],
  exploration: [],
  entities: [],
  mechanics: [],
});

/** Scores of 0 and null were not measured and are not counted. */
export function collectScores(into: CollectedScores, report: Scored): void {
  const scores = scoresOf(report);
  for (const key of MetricKey.options) {
    const score = scores[key];
    if (score !== null && score > 0) into[key].push(score);
  }
}

function ranksOf(scores: readonly number[]): ScoreRanks {
  const reports = scores.length;
  if (reports < fewestRanked) return null;
  const sorted = Float64Array.from(scores).sort();
  const percentiles = Array.from(
    { length: 100 },
    (_, index) => sorted[Math.ceil(((index + 1) * reports) / 100) - 1] ?? 0,
  );
  return { reports, percentiles };
}

const forEachKey = <T>(valueOf: (key: MetricKey) => T): Record<MetricKey, T> =>
  Object.fromEntries(MetricKey.options.map((key) => [key, valueOf(key)])) as Record<MetricKey, T>;

export const rankScores = (collected: CollectedScores): Ranks => forEachKey((key) => ranksOf(collected[key]));

/** Null if no score is ranked. Percentile k is below a score exactly if at least k % of all scores are. */
export function standingOf(report: Scored, ranks: Ranks | null): Standing | null {
  if (ranks === null) return null;
  const scores = scoresOf(report);
  const standing = forEachKey((key) => {
    const [score, ranked] = [scores[key], ranks[key]];
    if (!score || ranked === null) return null;
    const below = ranked.percentiles.filter((percentile) => percentile < score).length;
    return { faster_than_percent: below, reports: ranked.reports };
  });
  return Object.values(standing).some((place) => place !== null) ? standing : null;
}
