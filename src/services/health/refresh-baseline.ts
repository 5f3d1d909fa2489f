import { baselineDays } from "../../core/health/baseline.ts";
import { serverBaselineOf } from "../../core/health/count-baselines.ts";
import type { LoadBucket } from "../../core/health/load-buckets.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { requireLinked } from "../../store/server/locks.ts";
import {
  baselineOfServer,
  loadDaysOf,
  saveBaseline,
  saveLoadDay,
  type StoredBaseline,
} from "../../store/health/baselines.ts";
import { fieldsBefore } from "./health-samples.ts";
import { readLoadBuckets } from "./read-load-buckets.ts";

type BaselineServer = { readonly id: string; readonly bootTimestamp: Instant | null };

/** The start of the day (UTC) of an instant. */
export const dayStart = (at: Instant): Instant => Math.floor(at / dayMs) * dayMs;

/** The days before `day` that a baseline looks back to; those that are not kept yet are read from the samples and kept. */
async function loadBefore(db: Database, server: BaselineServer, day: Instant): Promise<LoadBucket[]> {
  const from = day - baselineDays * dayMs;
  const kept = await db.read(loadDaysOf, server.id, from, day);
  const byDay = new Map(kept.map((each) => [each.day, each.buckets]));
  const buckets: LoadBucket[] = [];
  for (let each = from; each < day; each += dayMs) {
    let known = byDay.get(each);
    if (known === undefined) {
      known = await readLoadBuckets(db, server, each, each + dayMs);
      const read = { day: each, buckets: known };
      await db.write(function* () {
        yield* requireLinked(server.id);
        yield* saveLoadDay(server.id, read);
      });
    }
    buckets.push(...known);
  }
  return buckets;
}

/** Works out what is usual of a server on the day of `now`, and keeps it; a finding that is open stays so. */
export async function refreshBaseline(
  db: Database,
  server: BaselineServer,
  now: Instant,
): Promise<StoredBaseline> {
  const day = dayStart(now);
  const before = await loadBefore(db, server, day);
  const today = await readLoadBuckets(db, server, day, now);
  const baseline = serverBaselineOf([...before, ...today], day);
  const measured = [...(await fieldsBefore(db, server.id, now))];
  return await db.write(function* () {
    yield* requireLinked(server.id);
    const known = yield* baselineOfServer(server.id);
    const stored: StoredBaseline = {
      serverId: server.id,
      day,
      baseline,
      measured,
      slowState: known?.slowState ?? null,
    };
    yield* saveBaseline(stored);
    return stored;
  });
}
