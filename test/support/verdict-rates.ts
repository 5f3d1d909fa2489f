import { judgeScores, type BeforeAfterDecision } from "../../src/core/report/before-after/statistic.ts";
import { decide, type RegressionVerdictWord } from "../../src/core/server/regression/decision.ts";
import { walk } from "../../src/core/server/regression/walk.ts";
import { dice, normals } from "./dice.ts";

/** How measurements of one thing differ; all as shares, 0.02 for 2 %. */
export interface Noise {
  /** Coefficient of variation of log-normal noise. */
  readonly cv: number;
  /** Deviation of what all runs of a side have in common, before/after only. */
  readonly drift?: number;
  /** How often a run is slow, and how much slower it then is. */
  readonly slow?: number;
  /** Correlation of one point's noise with the next one's, regression only. */
  readonly correlation?: number;
}

/** What a slow run loses, 10 % to 30 %. */
const slowFactor = (random: () => number): number => 0.9 - 0.2 * random();

export type SideRates = Readonly<Record<BeforeAfterDecision, number>> & { readonly wrong: number };

/** How often each verdict falls on three runs a side when the true change is `factor`, as shares of all trials. */
export function beforeAfterRates(noise: Noise, factor: number, trials: number, seed = 1): SideRates {
  const random = dice(seed);
  const normal = normals(random);
  const { cv, drift = 0, slow = 0 } = noise;
  const side = (level: number): number[] => {
    const session = level * Math.exp(drift * normal());
    return [0, 1, 2].map(
      () => session * Math.exp(cv * normal()) * (random() < slow ? slowFactor(random) : 1),
    );
  };
  const counts = { improved: 0, degraded: 0, no_material_change: 0, inconclusive: 0 };
  for (let trial = 0; trial < trials; trial += 1)
    counts[judgeScores(side(1000), side(1000 * factor)).decision] += 1;
  const share = (count: number): number => count / trials;
  return {
    improved: share(counts.improved),
    degraded: share(counts.degraded),
    no_material_change: share(counts.no_material_change),
    inconclusive: share(counts.inconclusive),
    wrong: share(
      factor > 1 ? counts.degraded : factor < 1 ? counts.improved : counts.improved + counts.degraded,
    ),
  };
}

/** Daily totals without a change, one after the other. */
function totals({ cv, slow = 0, correlation = 0 }: Noise, seed: number): () => number {
  const random = dice(seed);
  const normal = normals(random);
  let before = normal();
  return () => {
    before = correlation * before + Math.sqrt(1 - correlation * correlation) * normal();
    return 1000 * Math.exp(cv * before) * (random() < slow ? slowFactor(random) : 1);
  };
}

/**
 * How often a regression is said at some time during 90 days in which nothing changes, asked after every point, when
 * the window of the last `points` points is full from the start.
 */
export function falseAlarmRate(noise: Noise, points: number, trials: number): number {
  let alarms = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const next = totals(noise, 1 + trial);
    const series = Array.from({ length: 2 * points }, () => ({ value: next() }));
    if (isAlarmIn(series, points)) alarms += 1;
  }
  return alarms / trials;
}

function isAlarmIn(series: readonly { readonly value: number }[], points: number): boolean {
  for (let look = 1; look <= points; look += 1)
    if (walk(series.slice(look, look + points)).state === "regression") return true;
  return false;
}

/** What is said at one moment after as many points, and `dropped` more at `factor` times the level before. */
export function verdictRates(
  noise: Noise,
  points: number,
  trials: number,
  dropped = 0,
  factor = 1,
): Readonly<Record<RegressionVerdictWord, number>> {
  const counts = { regression: 0, stable: 0, undecidable: 0 };
  for (let trial = 0; trial < trials; trial += 1) {
    const next = totals(noise, 1_000_001 + trial);
    const series = Array.from({ length: points }, (_, at) => ({
      value: next() * (at < points - dropped ? 1 : factor),
    }));
    counts[decide(series).verdict] += 1;
  }
  return {
    regression: counts.regression / trials,
    stable: counts.stable / trials,
    undecidable: counts.undecidable / trials,
  };
}

export interface Found {
  /** Shares of all trials that had a regression by then. */
  readonly after5: number;
  readonly after10: number;
  /** How many points the said beginning lies from the true one, on average over those found. */
  readonly onsetError: number;
}

/** How often a lasting drop to `factor` is found, when the window always holds the last `points` points. */
export function foundRates(noise: Noise, points: number, factor: number, trials: number): Found {
  let [after5, after10, error] = [0, 0, 0];
  for (let trial = 0; trial < trials; trial += 1) {
    const next = totals(noise, 2_000_001 + trial);
    const series = Array.from({ length: points + 10 }, (_, at) => ({
      value: next() * (at < points ? 1 : factor),
      at,
    }));
    const found = firstFound(series, points);
    if (!found) continue;
    after10 += 1;
    if (found.by <= 5) after5 += 1;
    error += Math.abs(found.onset - points);
  }
  return { after5: after5 / trials, after10: after10 / trials, onsetError: after10 ? error / after10 : 0 };
}

/** After how many points of the drop a regression is said, and at which point it is said to begin. */
function firstFound(
  series: readonly { readonly value: number; readonly at: number }[],
  points: number,
): { by: number; onset: number } | null {
  for (let by = 1; series.length >= points + by && by <= 10; by += 1) {
    const { verdict, recent } = decide(series.slice(by, points + by));
    if (verdict === "regression") return { by, onset: recent[0]?.at ?? 0 };
  }
  return null;
}
