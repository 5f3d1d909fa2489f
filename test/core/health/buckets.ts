import type { BandBaseline, LevelBaseline, LevelBucket } from "../../../src/core/health/baseline.ts";
import { stepSlowerThanUsual } from "../../../src/core/health/slower-than-usual.ts";
import {
  unseenLevelState,
  type LevelChange,
  type LevelState,
} from "../../../src/core/health/unusual-level.ts";

export const day = 86_400_000;
export const five = 300_000;
/** A whole day (UTC). */
export const start = Date.UTC(2026, 10, 20);

/** The baseline of one band: 20 ms, rarely above 24. */
export const bandFrom = (playersFrom: number, band: Partial<BandBaseline> = {}): BandBaseline => ({
  playersFrom,
  median: 20,
  p98: 24,
  buckets: 600,
  days: 14,
  ...band,
});
export const baselineWith = (...bands: BandBaseline[]): LevelBaseline => ({
  day: start,
  bands,
  enoughOn: null,
});
/** Of 10 to 19 players. */
export const usual = baselineWith(bandFrom(10));

/** One bucket every 5 minutes with 12 players, from `from` on; null is a bucket that is missing. */
export const bucketsOf = (values: readonly (number | null)[], from = start, players = 12): LevelBucket[] =>
  values.flatMap((value, index) => (value === null ? [] : [{ at: from + index * five, value, players }]));

export const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

export const stepped = (
  values: readonly (number | null)[],
  baseline = usual,
): { readonly state: LevelState; readonly changes: readonly LevelChange[] } =>
  stepSlowerThanUsual(unseenLevelState, bucketsOf(values), baseline);

/** Whether a finding opens at these buckets. */
export const opens = (values: readonly (number | null)[], baseline = usual): boolean =>
  stepped(values, baseline).changes.some(({ kind }) => kind === "opened");

/** The state after 45 minutes at twice the usual, and when they were over. */
export const openState = stepped(times(9, 40)).state;
export const openUntil = start + 9 * five;
