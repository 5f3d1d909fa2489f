import { dayMs, hourMs, minuteMs, ownClockToleranceMs, type Instant } from "../time.ts";

/** A browser that is signed in. Its secret is kept as a digest only. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly expiresAt: Instant;
  /** When the person signed in here, or last typed the password (and gave the second factor) again. */
  readonly provenAt: Instant;
  /** How the browser names itself: inert text of at most 200 characters. */
  readonly userAgent: string | null;
}

/** A session ends 30 days after its last use, and 90 days after the sign-in at the latest. */
export const sessionIdleMs = 30 * dayMs;
export const sessionLongestMs = 90 * dayMs;

/** A last use is written at most once in this time, ms. */
export const sessionUseGrainMs = hourMs;

/** So long after a sign-in or a typed password a browser may do what a borrowed one must not, ms. */
export const proofLifetimeMs = 15 * minuteMs;

/** Whether the person proved lately who they are. A proof of the future is one from before a clock step, and counts as none. */
export function isProvenLately({ provenAt }: Pick<Session, "provenAt">, now: Instant): boolean {
  const age = now - provenAt;
  return age > -ownClockToleranceMs && age <= proofLifetimeMs;
}
