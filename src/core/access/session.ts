import { dayMs, hourMs, type Instant } from "../time.ts";

/** A browser that is signed in. Its secret is kept as a digest only. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly expiresAt: Instant;
  /** How the browser names itself: inert text of at most 200 characters. */
  readonly userAgent: string | null;
}

/** A session ends 30 days after its last use, and 90 days after the sign-in at the latest. */
export const sessionIdleMs = 30 * dayMs;
export const sessionLongestMs = 90 * dayMs;

/** A last use is written at most once in this time, ms. */
export const sessionUseGrainMs = hourMs;
