import { clockToleranceMs } from "../../metric/clock.ts";
import type { Instant } from "../../time.ts";

/**
 * Whether a regression is news to an owner who was last notified of one at `notifiedAt`, null for never: only a later
 * one is. The window slides, so the beginning of one lasting drop moves a little, but hardly ever behind the day of its
 * notice. A notice that lies ahead was noted by a clock that was wrong.
 */
export const isNewDrop = (since: Instant, notifiedAt: Instant | null, now: Instant): boolean =>
  notifiedAt === null || notifiedAt > now + clockToleranceMs || since > notifiedAt;
