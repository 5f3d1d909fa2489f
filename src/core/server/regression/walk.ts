import { median, robustDeviation } from "../../statistics/order.ts";
import { lowerProbability, pairRatios, reaches, shareOfLarger, shiftRatio } from "../../statistics/shift.ts";
import {
  fastNoise,
  fastPoints,
  onsetWithin,
  regressionThresholds as thresholds,
  slowMinPoints,
  slowNoise,
} from "./thresholds.ts";

/**
 * Walks through the points once, oldest first, and keeps a pool of normal points. A drop that holds on two
 * points in a row divides the pool into baseline and drop. The baseline then stays until three points in a
 * row are back within the band; low points before them never become part of a baseline.
 */

const band = thresholds.band_percent / 100;
const { min_points: minPoints, recent_points: recentPoints } = thresholds;

const logarithms = (values: readonly number[]): number[] => values.map(Math.log);

/** The relative spread of the values: 0.02 is 2 %. */
export const noiseOf = (values: readonly number[]): number => robustDeviation(logarithms(values));

/** The ratio of the later values to the earlier ones. */
export const changeRatio = (earlier: readonly number[], later: readonly number[]): number =>
  shiftRatio(pairRatios(earlier, later));

/** Whether a ratio is a drop by that share or more. */
export const isDrop = (ratio: number, share: number): boolean => reaches(-shareOfLarger(ratio), share);

/** The last three points all lie below the earlier ones, by the band and by a multiple of their noise. */
function droppedFast(values: readonly number[]): boolean {
  if (values.length < minPoints) return false;
  const [earlier, last] = [values.slice(0, -fastPoints), values.slice(-fastPoints)];
  const ratio = Math.max(...last) / Math.exp(median(logarithms(earlier)));
  if (!isDrop(ratio, band) || -Math.log(ratio) < fastNoise * noiseOf(earlier)) return false;
  return earlier.length >= minPoints || Math.max(...last) < Math.min(...earlier);
}

/** Whether half of all pairs are drops: otherwise their median is none, and need not be computed. */
function mayHaveDropped(earlier: readonly number[], last: readonly number[]): boolean {
  const half = (earlier.length * last.length) / 2;
  let drops = 0;
  for (const base of earlier) for (const value of last) if (isDrop(value / base, band)) drops += 1;
  return drops >= half;
}

/** The last five points lie below the earlier ones by more than chance and noise explain. */
function droppedSlowly(values: readonly number[]): boolean {
  if (values.length < slowMinPoints) return false;
  const [earlier, last] = [values.slice(0, -recentPoints), values.slice(-recentPoints)];
  if (!mayHaveDropped(earlier, last)) return false;
  const ratio = changeRatio(earlier, last);
  if (!isDrop(ratio, band) || -Math.log(ratio) < slowNoise * noiseOf(earlier)) return false;
  // Last, because it takes the longest.
  return lowerProbability(earlier, last) <= thresholds.p;
}

/** Whether the last values have dropped against the earlier ones; values are above 0, oldest first. */
export const dropHolds = (values: readonly number[]): boolean => droppedFast(values) || droppedSlowly(values);

const absoluteDeviations = (values: readonly number[]): number => {
  const centre = median(values);
  return values.reduce((sum, value) => sum + Math.abs(value - centre), 0);
};

/**
 * The index at which the drop begins: the best split into a higher and a lower part, by least absolute
 * deviations of the logarithms from both medians. At least `fastPoints` follow it. Further back the best fit
 * would more often be chance: a drop that holds is usually a few points old.
 */
export function onsetOf(values: readonly number[]): number {
  const logs = logarithms(values);
  const latest = values.length - fastPoints;
  let [onset, least] = [latest, Infinity];
  for (let split = latest; split >= Math.max(1, values.length - onsetWithin); split -= 1) {
    const [before, after] = [logs.slice(0, split), logs.slice(split)];
    if (median(after) >= median(before)) continue;
    const misfit = absoluteDeviations(before) + absoluteDeviations(after);
    if (misfit < least) [onset, least] = [split, misfit];
  }
  return onset;
}

interface Valued {
  readonly value: number;
}

export type Walked<P> =
  | { readonly state: "normal"; readonly pool: readonly P[]; readonly holdsNow: boolean }
  | { readonly state: "regression"; readonly baseline: readonly P[]; readonly drop: readonly P[] };

const valuesOf = (points: readonly Valued[]): number[] => points.map(({ value }) => value);

function hasRecovered(baseline: readonly Valued[], drop: readonly Valued[]): boolean {
  const centre = median(valuesOf(baseline));
  return (
    drop.length >= fastPoints && drop.slice(-fastPoints).every(({ value }) => !isDrop(value / centre, band))
  );
}

function step<P extends Valued>(walked: Walked<P>, point: P): Walked<P> {
  if (walked.state === "regression") {
    const { baseline } = walked;
    const drop = [...walked.drop, point];
    if (!hasRecovered(baseline, drop)) return { state: "regression", baseline, drop };
    return { state: "normal", pool: [...baseline, ...drop.slice(-fastPoints)], holdsNow: false };
  }
  const pool = [...walked.pool, point];
  const holdsNow = dropHolds(valuesOf(pool));
  if (!holdsNow || !walked.holdsNow) return { state: "normal", pool, holdsNow };
  const onset = onsetOf(valuesOf(pool));
  return { state: "regression", baseline: pool.slice(0, onset), drop: pool.slice(onset) };
}

/** Values must be above 0, oldest first. */
export function walk<P extends Valued>(points: readonly P[]): Walked<P> {
  let walked: Walked<P> = { state: "normal", pool: [], holdsNow: false };
  for (const point of points) walked = step(walked, point);
  return walked;
}
