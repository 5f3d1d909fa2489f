/**
 * The regression rule once more, as its text in SPEC.md reads and as slowly as that: everything in logarithms, medians by
 * sorting, probabilities by trying all arrangements. It shares no code with the rule it is held against.
 */

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The mean of the two middle ones where their number is even. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return sum(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1)) / (values.length % 2 === 0 ? 2 : 1);
}

const distances = (logs: readonly number[]): number[] => {
  const centre = median(logs);
  return logs.map((log) => Math.abs(log - centre));
};

const noise = (logs: readonly number[]): number => 1.4826 * median(distances(logs));

const differences = (earlier: readonly number[], later: readonly number[]): number[] =>
  earlier.flatMap((before) => later.map((after) => after - before));

const shift = (earlier: readonly number[], later: readonly number[]): number =>
  median(differences(earlier, later));

/** A drop by that share of the value before, or more. */
const isDrop = (log: number, share: number): boolean => 1 - Math.exp(log) >= share - 1e-9;

/** Every choice of `count` of the values, by its sum. */
const sums = (values: readonly number[], count: number): number[] =>
  count === 0
    ? [0]
    : values.flatMap((value, at) => sums(values.slice(at + 1), count - 1).map((rest) => value + rest));

/** How likely it is that so many of all values would be as low as `later`; equal values share their ranks. */
function chance(earlier: readonly number[], later: readonly number[]): number {
  const all = [...earlier, ...later];
  const rank = (value: number): number =>
    all.filter((other) => other < value).length + (all.filter((other) => other === value).length + 1) / 2;
  const [every, told] = [sums(all.map(rank), later.length), sum(later.map(rank))];
  return every.filter((each) => each <= told).length / every.length;
}

function holds(logs: readonly number[]): boolean {
  if (logs.length < 8) return false;
  const [before3, last3] = [logs.slice(0, -3), logs.slice(-3)];
  const below = Math.max(...last3) - median(before3);
  const fast = isDrop(below, 0.05) && below <= -2.5 * noise(before3);
  if (fast && (before3.length >= 8 || Math.max(...last3) < Math.min(...before3))) return true;
  const [before5, last5] = [logs.slice(0, -5), logs.slice(-5)];
  return (
    logs.length >= 10 &&
    isDrop(shift(before5, last5), 0.05) &&
    shift(before5, last5) <= -1.8 * noise(before5) &&
    chance(before5, last5) <= 0.005
  );
}

const misfit = (logs: readonly number[]): number => sum(distances(logs));

/** Of the last ten points, but the last two, the one from which two medians fit best; of equal ones the latest. */
export function onset(logs: readonly number[]): number {
  let best = { at: logs.length - 3, misfit: Infinity };
  for (let at = logs.length - 3; at >= Math.max(1, logs.length - 10); at -= 1) {
    const [before, after] = [logs.slice(0, at), logs.slice(at)];
    const here = misfit(before) + misfit(after);
    if (median(after) < median(before) && here < best.misfit) best = { at, misfit: here };
  }
  return best.at;
}

const depths = new Map<number, number>();

/** How deep a lower bound lies among the pairs of so many points and five: it may be wrong in a twentieth of cases. */
function depth(points: number): number {
  const known = depths.get(points);
  if (known !== undefined) return known;
  const ranks = Array.from({ length: points + 5 }, (_, at) => at + 1);
  const every = sums(ranks, 5).map((each) => each - 15);
  let deep = 0;
  while (every.filter((u) => u <= deep).length / every.length <= 0.05) deep += 1;
  depths.set(points, deep);
  return deep;
}

function trendsDown(logs: readonly number[]): boolean {
  return [0.25, 0.5, 0.75]
    .map((part) => Math.floor(logs.length * part))
    .filter((split) => split >= 5 && logs.length - split >= 5)
    .some((split) => isDrop(shift(logs.slice(0, split), logs.slice(split)), 0.05));
}

function withoutDrop(pool: readonly number[], heldLast: boolean): string {
  if (pool.length < 8) return "not_enough_runs";
  if (heldLast) return "awaiting_confirmation";
  if (pool.length < 10) return "not_enough_runs";
  const [before, recent] = [pool.slice(0, -5), pool.slice(-5)];
  if (noise(before) > 0.12) return "too_noisy";
  if (trendsDown(pool)) return "trend_down";
  const pairs = differences(before, recent).toSorted((a, b) => a - b);
  const bound = pairs[depth(before.length) - 1] ?? -Infinity;
  return isDrop(shift(before, recent), 0.05) || isDrop(bound, 0.1) ? "drop_not_excluded" : "stable";
}

/** The verdict, or the reason why there is none, on points above 0, oldest first. */
export function byTheLetter(values: readonly number[]): string {
  let [pool, drop, held]: [number[], number[] | null, boolean] = [[], null, false];
  for (const log of values.map(Math.log)) {
    if (drop) {
      drop.push(log);
      // The median of the baseline is one of values, not of logarithms.
      const base = median(pool.map(Math.exp));
      const back: number[] = drop.slice(-3).filter((each) => !isDrop(each - Math.log(base), 0.05));
      if (back.length === 3) [pool, drop, held] = [pool.concat(back), null, false];
      continue;
    }
    pool.push(log);
    const holdsNow = holds(pool);
    if (holdsNow && held) {
      const at = onset(pool);
      [pool, drop] = [pool.slice(0, at), pool.slice(at)];
    }
    held = holdsNow;
  }
  if (values.length === 0) return "no_runs";
  if (drop) return pool.length < 5 ? "not_enough_runs" : "regression";
  return withoutDrop(pool, held);
}
