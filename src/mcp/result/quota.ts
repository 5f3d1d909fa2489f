import type { Answered, Refused, RateWindowView, RateWindowViews } from "../../contract/call/backend.ts";
import type { Outline } from "../../contract/endpoint/outline.ts";
import { toTimestamp } from "../../core/time.ts";

export const quotaKey = "tickmark/quota";

/** A note gives the calls left from this share of the day's limit on, or from this number on. */
const lowShare = 0.2;
const fewCalls = 2;

interface QuotaWindow {
  readonly limit: number;
  readonly remaining: number;
  readonly reset_at: string;
}

/** The caller's windows and what this call cost of the day, for every result. */
export interface Quota {
  readonly day: QuotaWindow | null;
  readonly hour: QuotaWindow | null;
  readonly cost: 0 | 1;
}

export function quotaOf({ access }: Outline, { windows, counted }: Answered | Refused): Quota {
  const ofHourAlone = access.face === "api" && access.counts === "hour";
  return {
    day: windows && quotaWindow(windows.day),
    hour: windows?.hour ? quotaWindow(windows.hour) : null,
    cost: counted && !ofHourAlone ? 1 : 0,
  };
}

const quotaWindow = ({ limit, remaining, resetAt }: RateWindowView): QuotaWindow => ({
  limit,
  remaining,
  reset_at: toTimestamp(resetAt),
});

/** Null while enough calls of the day are left. */
export function lowWindow(windows: RateWindowViews | null): RateWindowView | null {
  if (windows === null) return null;
  const { remaining, limit } = windows.day;
  return remaining <= Math.max(limit * lowShare, fewCalls) ? windows.day : null;
}
