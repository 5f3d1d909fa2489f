import { ascending, middle } from "./order.ts";

/** `low` and `high` are the interval of 95 %; all three in the unit of y per unit of x. */
export interface Slope {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

export interface TrendPoint {
  readonly x: number;
  readonly y: number;
}

/** The quantile of the normal distribution for 95 % between both ends. */
const normalQuantile = 1.96;

/** With fewer points an interval of 95 % is wider than all of their slopes. */
const leastPoints = 5;

/**
 * The median of the slopes between all pairs of points (Theil, 1950), with the interval of Sen (1968) from
 * Kendall's variance; a few outliers do not move it. Null for fewer than 5 points, or if all have the same x.
 * Time and memory grow with the square of the number of points.
 */
export function theilSen(points: readonly TrendPoint[]): Slope | null {
  const count = points.length;
  if (count < leastPoints) return null;
  const slopes: number[] = [];
  for (const [index, { x, y }] of points.entries())
    for (let later = index + 1; later < count; later += 1) {
      const other = points[later];
      if (other && other.x !== x) slopes.push((other.y - y) / (other.x - x));
    }
  if (slopes.length === 0) return null;
  const sorted = ascending(slopes);
  const [one, other] = middle(sorted);
  const half = (normalQuantile * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18)) / 2;
  const centre = sorted.length / 2;
  const at = (place: number): number => sorted[Math.min(sorted.length - 1, Math.max(0, place))] ?? 0;
  return {
    slope: (one + other) / 2,
    low: at(Math.floor(centre - half) - 1),
    high: at(Math.ceil(centre + half)),
  };
}
