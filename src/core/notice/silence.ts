import type { Instant } from "../time.ts";

/** The shortest maintenance: repeating a call moves an end by less. */
const notifiedFromMs = 5 * 60_000;

/**
 * Compares with the end that the owner was last notified of (null: none), so that small steps cannot add up
 * to a long silence without a notice.
 */
export const isNewSilence = (notifiedUntil: Instant | null, until: Instant): boolean =>
  notifiedUntil === null || until - notifiedUntil >= notifiedFromMs;
