import { z } from "zod";
import { readTime } from "../relative-time.ts";
import { dayMs, hourMs, toTimestamp, type Instant } from "../time.ts";
import { IsoInstant, WrittenInstant } from "../timestamp.ts";
import { retainedFrom } from "./clock.ts";

/** Preset periods, each ending now, ms. */
const lengths = {
  "1h": hourMs,
  "6h": 6 * hourMs,
  "12h": 12 * hourMs,
  "24h": dayMs,
  "3d": 3 * dayMs,
  "7d": 7 * dayMs,
  "14d": 14 * dayMs,
  "30d": 30 * dayMs,
  "90d": 90 * dayMs,
  "180d": 180 * dayMs,
  "1y": 365 * dayMs,
} as const;
export type Range = keyof typeof lengths;
export const Range = z.enum(Object.keys(lengths) as [Range, ...Range[]]);

/** How far ahead of our clock a `to` may be, because clocks disagree, ms. */
export const aheadMs = 60_000;

/** A request takes a while to arrive: a period may begin this much before the viewing window, ms. */
const retentionToleranceMs = 60_000;

export const longestSpanMs = 366 * dayMs;

/** `from` inclusive, `to` exclusive. */
export const spanInput = { from: IsoInstant.optional(), to: IsoInstant.optional() };

export const periodInput = { range: Range.optional(), ...spanInput };

/** Takes times as people write them, too. */
export const writtenSpanInput = { from: WrittenInstant.optional(), to: WrittenInstant.optional() };

export const writtenPeriodInput = { range: Range.optional(), ...writtenSpanInput };

export interface RequestedPeriod {
  readonly range?: Range | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** `from` inclusive, `to` exclusive; `range` is null if instants were requested. */
export interface Period {
  readonly range: Range | null;
  readonly from: Instant;
  readonly to: Instant;
}

export interface PeriodMistake {
  readonly field: "range" | "from" | "to";
  readonly message: string;
}

const mistake = (field: PeriodMistake["field"], message: string): PeriodMistake => ({ field, message });

export const presetPeriod = (range: Range, now: Instant): Period => ({
  range,
  from: now - lengths[range],
  to: now,
});

export const viewingWindow = (retentionDays: number, now: Instant): Period => ({
  range: null,
  from: retainedFrom(retentionDays, now),
  to: now,
});

/** Expects texts that the schema accepted; null if none is given. `from` alone means up to now. */
export function readPeriod(requested: RequestedPeriod, now: Instant): Period | PeriodMistake | null {
  const { range } = requested;
  const from = requested.from === undefined ? null : readTime(requested.from, now);
  const to = requested.to === undefined ? null : readTime(requested.to, now);
  if (from === null && requested.from !== undefined) return mistake("from", "from lies before 1970.");
  if (to === null && requested.to !== undefined) return mistake("to", "to lies before 1970.");
  if (range !== undefined) {
    if (from === null && to === null) return presetPeriod(range, now);
    return mistake("range", "range cannot be combined with from or to: send either range, or from and to.");
  }
  if (from === null) {
    return to === null ? null : mistake("to", "to needs from: send both. from without to means up to now.");
  }
  if (to !== null && to > now + aheadMs) return mistake("to", "to takes a time that is not in the future.");
  const end = Math.min(to ?? now, now);
  if (from >= end) return mistake("from", "from takes a time before to, and before now.");
  if (end - from > longestSpanMs) return mistake("from", "from and to may be at most 366 days apart.");
  return { range: null, from, to: end };
}

export const isMistake = (period: Period | PeriodMistake | null): period is PeriodMistake =>
  period !== null && "field" in period;

/** Refuses a period that the plan does not show in full: it is never shortened silently. */
export interface BeyondRetention {
  readonly message: string;
  readonly details: { readonly retention_days: number; readonly oldest: string };
}

/** Null if the plan shows the whole period. */
export function beyondRetention(
  { from }: Period,
  retentionDays: number,
  now: Instant,
): BeyondRetention | null {
  const oldest = retainedFrom(retentionDays, now);
  if (from >= oldest - retentionToleranceMs) return null;
  return {
    message: `The account's plan shows the last ${retentionDays} days. Send a shorter range, or a from of ${toTimestamp(oldest)} or later.`,
    details: { retention_days: retentionDays, oldest: toTimestamp(oldest) },
  };
}
