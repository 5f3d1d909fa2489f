import { baselineDays, baselineOf } from "../../core/health/baseline.ts";
import { countBaselinesOf } from "../../core/health/count-baselines.ts";
import { tickBucketsOf, type LoadBucket } from "../../core/health/load-buckets.ts";
import { unseenLevelState, unusualSpans } from "../../core/health/unusual-level.ts";
import { dayMs, utcDay, type Instant } from "../../core/time.ts";
import type { Database, Work } from "../../store/engine/database.ts";
import { holdLinked } from "../../store/server/locks.ts";
import {
  baselineOfServer,
  loadDaysOf,
  openBaseline,
  saveBaseline,
  saveLoadDay,
  type StoredBaseline,
  type WholeBaseline,
} from "../../store/health/baselines.ts";
import { selectFirstSampleTime } from "../../store/health/health-queries.ts";
import { pacer } from "../../core/turns.ts";
import { fieldsBefore } from "./health-samples.ts";
import { lowsBefore } from "./heap-lows.ts";
import { readLoadBuckets, type LoadedServer } from "./read-load-buckets.ts";

/** `isKept`: the day was stored, not read from samples. */
interface LoadDay {
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

interface WorkedOut {
  readonly baseline: StoredBaseline;
  readonly save: () => Work<StoredBaseline>;
}

/**
 * Computes what ticks usually need on the day of `now`. `save` stores it with the days it used, and keeps an
 * open finding. If an earlier day changed meanwhile, none of the days read are stored.
 */
export async function workOutBaseline(db: Database, server: LoadedServer, now: Instant): Promise<WorkedOut> {
  const day = utcDay(now);
  const pause = pacer();
  const opened = await openedBaseline(db, server.id);
  const mark = opened?.day ?? null;
  const firstSampleAt = await db.read(selectFirstSampleTime, server.id);
  const { days, today } = await readLoad(db, server, {
    from: day - baselineDays * dayMs,
    to: now,
    firstSampleAt,
  });
  const buckets = [...days.flatMap((read) => read.buckets), ...today];
  await pause();
  const unusual = unusualSpans(opened?.slowState ?? unseenLevelState);
  const baseline = baselineOf(tickBucketsOf(buckets), day, unusual, opened?.baseline ?? null);
  await pause();
  const counts = countBaselinesOf(buckets, day, opened?.counts ?? {});
  await pause();
  const unchanged = new Set(days.filter(({ isKept }) => isKept).map((kept) => kept.day));
  const heapLows = await lowsBefore(db, server, day, { known: opened?.heapLows ?? null, unchanged });
  const measured = [...(await fieldsBefore(db, server.id, now, firstSampleAt))];
  const beside = (known: WholeBaseline | null): WholeBaseline => ({
    serverId: server.id,
    day: known?.day === mark ? day : (known?.day ?? day),
    baseline,
    measured,
    slowState: known?.slowState ?? null,
    // The earlier counts differ only if another process computed them meanwhile.
    counts: (known?.day ?? mark) === mark ? counts : countBaselinesOf(buckets, day, known?.counts ?? {}),
    heapLows: known === null || known.day === mark ? heapLows : known.heapLows,
  });
  return { baseline: beside(await db.read(baselineOfServer, server.id)), save };

  function* save(): Work<StoredBaseline> {
    const isLinked = (yield* holdLinked(server.id)) !== null;
    const known = yield* baselineOfServer(server.id);
    const stored = beside(known);
    // Nobody needs the baseline of a server that was unlinked meanwhile.
    if (isLinked) yield* saveBaseline(stored);
    if (isLinked && known?.day === mark)
      for (const read of days) if (!read.isKept) yield* saveLoadDay(server.id, read);
    return stored;
  }
}

export async function refreshBaseline(
  db: Database,
  server: LoadedServer,
  now: Instant,
): Promise<StoredBaseline> {
  const { save } = await workOutBaseline(db, server, now);
  return await db.write(save);
}

/** The stored baseline with its mark; creates a row if there is none. */
async function openedBaseline(db: Database, serverId: string): Promise<WholeBaseline | null> {
  const known = await db.read(baselineOfServer, serverId);
  if (known !== null) return known;
  return await db.write(function* () {
    if ((yield* holdLinked(serverId)) === null) return null;
    yield* openBaseline(serverId);
    return yield* baselineOfServer(serverId);
  });
}
