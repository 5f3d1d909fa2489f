import type { Instant } from "../time.ts";

/** Five minutes, the shortest maintenance: repeating a call moves an end by less. */
const notifiedFromMs = 5 * 60_000;

/**
 * Whether a silence until then is news to an owner who was notified of one until `notifiedUntil`, null for none. Measured
 * from the last notice, so that small steps cannot add up to a long silence that nobody heard of.
 */
export const isNewSilence = (notifiedUntil: Instant | null, until: Instant): boolean =>
  notifiedUntil === null || until - notifiedUntil >= notifiedFromMs;
