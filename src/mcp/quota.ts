import type { Answered, Refused, ToldWindow, ToldWindows } from "../contract/backend.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import type { ErrorCode } from "../core/errors.ts";
import { toTimestamp } from "../core/time.ts";

export const quotaKey = "tickmark/quota";

/** Below this part of the day's calls a note says that they run low. */
const lowShare = 0.2;

interface QuotaWindow {
  readonly limit: number;
  readonly remaining: number;
  readonly reset_at: string;
}

/** What every result says of the caller's windows, and what this call cost of the day. */
export interface Quota {
  readonly day: QuotaWindow | null;
  readonly hour: QuotaWindow | null;
  readonly cost: 0 | 1;
}

export function quotaOf(endpoint: Endpoint, answer: Answered | Refused): Quota {
  const { windows } = answer;
  return {
    day: windows && quotaWindow(windows.day),
    hour: windows?.hour ? quotaWindow(windows.hour) : null,
    cost: isCounted(endpoint, answer) ? 1 : 0,
  };
}

const quotaWindow = ({ limit, remaining, resetAt }: ToldWindow): QuotaWindow => ({
  limit,
  remaining,
  reset_at: toTimestamp(resetAt),
});

export const runsLow = (windows: ToldWindows | null): boolean =>
  windows !== null && windows.day.remaining < windows.day.limit * lowShare;

/** Refusals that come before a call is counted, unless the endpoint itself refuses with the same code. */
const uncounted: ReadonlySet<string> = new Set([
  "unauthorized",
  "invalid_token",
  "token_revoked",
  "token_expired",
  "token_quota_exceeded",
  "daily_quota_exceeded",
  "rate_limited",
  "unavailable",
] satisfies ErrorCode[]);

function isCounted({ access, errors }: Endpoint, answer: Answered | Refused): boolean {
  if (access.face !== "api" || access.counts === "hour") return false;
  if (answer.ok || !uncounted.has(answer.body.error)) return true;
  return errors.some((code) => code === answer.body.error);
}
