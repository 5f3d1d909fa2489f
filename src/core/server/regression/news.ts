import { clockToleranceMs } from "../../metric/clock.ts";
import type { Instant } from "../../time.ts";

/**
 * Whether a regression began after the owner's last notice (null: none). With the sliding window the
 * beginning of a lasting drop moves a little, but hardly ever past its notice. A notice in the future comes
 * from a wrong clock.
 */
export const isNewDrop = (since: Instant, notifiedAt: Instant | null, now: Instant): boolean =>
  notifiedAt === null || notifiedAt > now + clockToleranceMs || since > notifiedAt;
