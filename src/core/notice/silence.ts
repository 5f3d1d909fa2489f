import type { Instant } from "../time.ts";

/** Five minutes, the shortest maintenance: repeating a call moves an end by less. */
const toldFromMs = 5 * 60_000;

/**
 * Whether a silence until then is news to an owner who was told of one until `toldUntil`, null for none. Measured
 * from what was told, so that small steps cannot add up to a long silence that nobody heard of.
 */
export const isNewSilence = (toldUntil: Instant | null, until: Instant): boolean =>
  toldUntil === null || until - toldUntil >= toldFromMs;
