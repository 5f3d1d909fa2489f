import type { DaySeconds } from "../../core/status-page/days.ts";
import { hourMs, minuteMs } from "../../core/time.ts";
import { TimedCache } from "../../core/timed-cache.ts";

/** Past days, oldest first, by server and period. */
export type PastDays = TimedCache<readonly DaySeconds[]>;

/**
 * Caches past days of public pages: computing 90 days reads 90 blocks of samples. Entries expire, because
 * late data may still change a day. 90 days take about 15 kB.
 */
export const pastDaysCache = (): PastDays =>
  new TimedCache({ maxAgeMs: 6 * hourMs, clockStepMs: 5 * minuteMs, most: 500 });
