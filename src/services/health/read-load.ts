import type { LoadBucket } from "../../core/health/load-buckets.ts";
import { dayMs, utcDay, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { loadDaysOf } from "../../store/health/baselines.ts";
import { readLoadBuckets, type LoadedServer } from "./read-load-buckets.ts";

/** `isKept`: the day was stored, not read from samples. */
export interface LoadDay {
  readonly day: Instant;
  readonly buckets: readonly LoadBucket[];
  readonly isKept: boolean;
}

interface Load {
  readonly days: readonly LoadDay[];
  readonly today: readonly LoadBucket[];
}

/** Load since `from`, from stored days or else from samples. Days before the first sample are empty. */
export async function readLoad(
  db: Database,
  server: LoadedServer,
  { from, to, firstSampleAt }: { from: Instant; to: Instant; firstSampleAt: Instant | null },
): Promise<Load> {
  const today = utcDay(to);
  const kept = await db.read(loadDaysOf, server.id, from, today);
  const known = new Map(kept.map(({ day, buckets }) => [day, buckets]));
  const read = new Map<Instant, LoadBucket[]>();
  let start: Instant | null = null;
  for (let day = Math.max(from, utcDay(firstSampleAt ?? to)); day <= today; day += dayMs) {
    if (known.has(day)) continue;
    start ??= day;
    const end = day + dayMs;
    if (day < today && !known.has(end)) continue;
    for (const bucket of await readLoadBuckets(db, server, start, Math.min(end, to))) {
      const ofDay = read.get(utcDay(bucket.at));
      if (ofDay) ofDay.push(bucket);
      else read.set(utcDay(bucket.at), [bucket]);
    }
    start = null;
  }
  const days: LoadDay[] = [];
  for (let day = from; day < today; day += dayMs) {
    const buckets = known.get(day);
    days.push({ day, buckets: buckets ?? read.get(day) ?? [], isKept: buckets !== undefined });
  }
  return { days, today: read.get(today) ?? [] };
}
