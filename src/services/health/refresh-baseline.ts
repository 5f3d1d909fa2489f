import { baselineDays, baselineOf } from "../../core/health/baseline.ts";
import { countBaselinesOf } from "../../core/health/count-baselines.ts";
import { tickBucketsOf, type LoadBucket } from "../../core/health/load-buckets.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { holdLinked } from "../../store/server/locks.ts";
import {
  baselineOfServer,
  loadDaysOf,
  saveBaseline,
  saveLoadDay,
  type StoredBaseline,
  type WholeBaseline,
} from "../../store/health/baselines.ts";
import { fieldsBefore } from "./health-samples.ts";
import { readLoadBuckets, type LoadedServer } from "./read-load-buckets.ts";

/** The start of the day (UTC) of an instant. */
export const dayStart = (at: Instant): Instant => Math.floor(at / dayMs) * dayMs;

/** One day (UTC) of a server; `isKept` where it was not read from the samples. */
interface LoadDay {
  readonly day: Instant;
  readonly buckets: readonly LoadBucket[];
  readonly isKept: boolean;
}

/** Whole days that are over, from `from` to `to` (exclusive): as they are kept, or from the samples. */
export async function readLoadDays(
  db: Database,
  server: LoadedServer,
  from: Instant,
  to: Instant,
): Promise<LoadDay[]> {
  const kept = await db.read(loadDaysOf, server.id, from, to);
  const byDay = new Map(kept.map(({ day, buckets }) => [day, buckets]));
  const days: LoadDay[] = [];
  for (let day = from; day < to; day += dayMs) {
    const known = byDay.get(day);
    const buckets = known ?? (await readLoadBuckets(db, server, day, day + dayMs));
    days.push({ day, buckets, isKept: known !== undefined });
  }
  return days;
}

/** The days before `day` that a baseline looks back to; those that are not kept yet are kept from then on. */
async function loadBefore(db: Database, server: LoadedServer, day: Instant): Promise<LoadBucket[]> {
  const days = await readLoadDays(db, server, day - baselineDays * dayMs, day);
  for (const { isKept, ...read } of days)
    if (!isKept)
      await db.write(function* () {
        // It was unlinked meanwhile: nobody needs its days any more.
        if ((yield* holdLinked(server.id)) !== null) yield* saveLoadDay(server.id, read);
      });
  return days.flatMap(({ buckets }) => buckets);
}

/** Works out what a server's ticks usually need on the day of `now`, and keeps it; a finding that is open stays so. */
export async function refreshBaseline(
  db: Database,
  server: LoadedServer,
  now: Instant,
): Promise<StoredBaseline> {
  const day = dayStart(now);
  const before = await loadBefore(db, server, day);
  const today = await readLoadBuckets(db, server, day, now);
  const buckets = [...before, ...today];
  const baseline = baselineOf(tickBucketsOf(buckets), day);
  const measured = [...(await fieldsBefore(db, server.id, now))];
  return await db.write(function* () {
    const isLinked = (yield* holdLinked(server.id)) !== null;
    const known = yield* baselineOfServer(server.id);
    const stored: WholeBaseline = {
      serverId: server.id,
      day,
      baseline,
      measured,
      slowState: known?.slowState ?? null,
      counts: countBaselinesOf(buckets, day, known?.counts ?? {}),
    };
    if (isLinked) yield* saveBaseline(stored);
    return stored;
  });
}
