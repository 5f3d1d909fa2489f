import { clockToleranceMs } from "../../metric/clock.ts";
import type { Instant } from "../../time.ts";

/**
 * Whether a regression is news to who was last told of one at `toldAt`, null for never: only one that began after that
 * is. The window slides, so the beginning of one lasting drop is found now here, now there, but hardly ever behind the
 * day on which it was plain enough to be told. A notice that lies ahead was noted by a clock that was wrong.
 */
export const isNewDrop = (since: Instant, toldAt: Instant | null, now: Instant): boolean =>
  toldAt === null || toldAt > now + clockToleranceMs || since > toldAt;
