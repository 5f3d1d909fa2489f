import type { DaySeconds } from "../../core/status-page/days.ts";
import { hourMs, minuteMs } from "../../core/time.ts";
import { TimedCache } from "../../core/timed-cache.ts";

/** Days of a server that are over, oldest first, by server and period. */
export type PastDays = TimedCache<readonly DaySeconds[]>;

/**
 * The past days of servers on public pages: working out 90 days reads 90 blocks of samples, and only the last day
 * changes from minute to minute. Data of a day may arrive for as long as an agent keeps it, so the days are worked out
 * anew after a while. 90 days of four numbers each take some 15 kB.
 */
export const pastDaysCache = (): PastDays =>
  new TimedCache({ maxAgeMs: 6 * hourMs, clockStepMs: 5 * minuteMs, most: 500 });
