import { utcDay, type Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { dropLoadDays } from "../../store/health/baselines.ts";

/** Drops stored days before today that late data belongs to; they are read from the samples again. */
export function* forgetLoadDays(serverId: string, times: readonly Instant[], now: Instant): Work<void> {
  const today = utcDay(now);
  const days = times.map(utcDay).filter((day) => day < today);
  if (days.length === 0) return;
  const [first, last] = [days.reduce((a, b) => Math.min(a, b)), days.reduce((a, b) => Math.max(a, b))];
  yield* dropLoadDays(serverId, first, last);
}
