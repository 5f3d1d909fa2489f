import { isClosed } from "../../core/health/closed-bucket.ts";
import { utcDay, type Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { dropLoadDays } from "../../store/health/baselines.ts";
import { markReopened } from "../../store/health/server-health.ts";

/** Has a server judged again from the oldest of these times of data, as far as they were judged already. */
export function* judgeAgainFrom(serverId: string, times: readonly Instant[], now: Instant): Work<void> {
  const late = times.filter((at) => isClosed(at, now));
  if (late.length > 0) yield* markReopened(serverId, leastOf(late));
}

/** Drops stored days before today that late data belongs to; they are read from the samples again. */
export function* forgetLoadDays(serverId: string, times: readonly Instant[], now: Instant): Work<void> {
  const today = utcDay(now);
  const days = times.map(utcDay).filter((day) => day < today);
  if (days.length === 0) return;
  yield* dropLoadDays(serverId, leastOf(days), -leastOf(days.map((day) => -day)));
}

const leastOf = (times: readonly Instant[]): Instant => times.reduce((a, b) => Math.min(a, b));
