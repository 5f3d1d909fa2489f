import { dayMs, hourMs, minuteMs, ownClockToleranceMs, type Instant } from "../time.ts";

/** A signed-in browser; only a digest of its secret is stored. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly expiresAt: Instant;
  /** Time of the sign-in, or of the last confirmation with password and second factor. */
  readonly provenAt: Instant;
  /** `User-Agent`, at most 200 characters; third-party text. */
  readonly userAgent: string | null;
}

/** Since the last use, and since the sign-in, ms. */
export const sessionIdleMs = 30 * dayMs;
export const sessionLongestMs = 90 * dayMs;

/** The last use is written at most once in this time, ms. */
export const sessionUseGrainMs = hourMs;

/** Sensitive actions need a sign-in or confirmation within this time, ms: the browser may be borrowed. */
export const proofLifetimeMs = 15 * minuteMs;

/** A proof in the future was written before the clock was set back, and does not count. */
export function isProvenLately({ provenAt }: Pick<Session, "provenAt">, now: Instant): boolean {
  const age = now - provenAt;
  return age > -ownClockToleranceMs && age <= proofLifetimeMs;
}
