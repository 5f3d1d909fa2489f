import { baselineDays } from "../../core/health/baseline.ts";
import { closedAt } from "../../core/health/closed-bucket.ts";
import { countBaselinesOf } from "../../core/health/count-baselines.ts";
import { lastDaySlot } from "../../core/health/day-slot.ts";
import type { CountBaselines } from "../../core/health/facts.ts";
import type { LoadBucket } from "../../core/health/load-buckets.ts";
import type { SlownessCheckpoint } from "../../core/health/slowness-replay.ts";
import { mayOpen, type LevelState } from "../../core/health/unusual-level.ts";
import { dayMs, utcDay, type Instant } from "../../core/time.ts";
import type { Database, Work } from "../../store/engine/database.ts";
import { holdLinked } from "../../store/server/locks.ts";
import {
  baselineOfServer,
  openBaseline,
  saveBaseline,
  saveLoadDay,
  type StoredBaseline,
  type WholeBaseline,
} from "../../store/health/baselines.ts";
import { selectFirstSampleTime } from "../../store/health/health-queries.ts";
import { pacer } from "../../core/turns.ts";
import { fieldsBefore } from "./health-samples.ts";
import { diskLowsBefore, heapLowsBefore } from "./field-lows.ts";
import { recordNewNormal } from "./save-evaluation.ts";
import type { LoadedServer } from "./read-load-buckets.ts";
import { readReplay } from "./read-replay.ts";

interface WorkedOut {
  readonly baseline: StoredBaseline;
  readonly save: () => Work<StoredBaseline>;
}

/** Whether something is open, or slow buckets have begun that may open it. */
export const isFollowing = (state: LevelState | null): boolean =>
  state !== null && (state.open !== null || mayOpen(state));

/** Null if the state says nothing: nothing is open, and nothing ended lately. */
export const worthKeeping = (state: LevelState): LevelState | null =>
  isFollowing(state) || (state.past ?? []).length > 0 ? state : null;

/** The checkpoint that a computation may go on from; null if data from before it arrived since. */
function usableCheckpoint(
  opened: WholeBaseline | null,
  reopenedFrom: Instant | null,
): SlownessCheckpoint | null {
  const checkpoint = opened === null || opened.day < 0 ? null : opened.checkpoint;
  return checkpoint === null || (reopenedFrom ?? checkpoint.at) < checkpoint.at ? null : checkpoint;
}

/**
 * Computes what ticks usually need at the server's time of the day before `closed`, and how they compare with
 * that until then: from the checkpoint of an earlier day, or if there is none, or `reopenedFrom` is before it,
 * from the last 14 days. `save` stores it with the days it used. If an earlier day changed meanwhile, none of
 * the days read are stored.
 */
export async function workOutBaseline(
  db: Database,
  server: LoadedServer,
  closed: Instant,
  reopenedFrom: Instant | null = null,
): Promise<WorkedOut> {
  const opened = await openedBaseline(db, server.id);
  const mark = opened?.day ?? null;
  const firstSampleAt = await db.read(selectFirstSampleTime, server.id);
  const known = usableCheckpoint(opened, reopenedFrom);
  const day = utcDay(lastDaySlot(server.id, closed));
  const span = { known, from: closed, to: closed, firstSampleAt };
  const { replay, days, buckets, slots } = await readReplay(db, server, span);
  const { checkpoint } = replay;
  const baseline = checkpoint?.baseline ?? { day, bands: [], enoughOn: null };
  const counts = await countsAt(buckets, slots, known === null ? {} : (opened?.counts ?? {}));
  const unchanged = new Set(days.filter(({ isKept }) => isKept).map((kept) => kept.day));
  const measured = [...(await fieldsBefore(db, server.id, closed, firstSampleAt))];
  const lows = {
    heapLows: await heapLowsBefore(db, server, day, { known: opened?.heapLows ?? null, unchanged }),
    diskLows: await diskLowsBefore(db, { id: server.id, isSent: measured.includes("disk_free_mb") }, day, {
      known: opened?.diskLows ?? null,
      unchanged,
    }),
  };
  const beside = (stored: WholeBaseline | null): WholeBaseline => ({
    serverId: server.id,
    day: stored?.day === mark ? day : (stored?.day ?? day),
    baseline,
    measured,
    slowState: worthKeeping(replay.state),
    counts,
    ...(stored === null || stored.day === mark
      ? lows
      : { heapLows: stored.heapLows, diskLows: stored.diskLows }),
    checkpoint,
  });
  return { baseline: beside(await db.read(baselineOfServer, server.id)), save };

  function* save(): Work<StoredBaseline> {
    const isLinked = (yield* holdLinked(server.id)) !== null;
    const stored = yield* baselineOfServer(server.id);
    const next = beside(stored);
    // Nobody needs the baseline of a server that was unlinked meanwhile.
    if (!isLinked) return next;
    yield* saveBaseline(next);
    if (stored?.day === mark)
      for (const read of days)
        if (!read.isKept && read.day >= day - baselineDays * dayMs) yield* saveLoadDay(server.id, read);
    // What was judged before has its entries.
    const seenTo = stored?.slowState?.seenTo ?? known?.at ?? closed;
    yield* recordNewNormal(
      server.id,
      replay.changes.filter(({ at }) => at > seenTo),
      closed,
    );
    return next;
  }
}

/** The usual counts after the last of `slots`. */
export async function countsAt(
  buckets: readonly LoadBucket[],
  slots: readonly Instant[],
  before: CountBaselines,
): Promise<CountBaselines> {
  const pause = pacer();
  let counts = before;
  for (const slot of slots) {
    counts = countBaselinesOf(buckets, slot, counts);
    await pause();
  }
  return counts;
}

export async function refreshBaseline(
  db: Database,
  server: LoadedServer,
  now: Instant,
): Promise<StoredBaseline> {
  const { save } = await workOutBaseline(db, server, closedAt(now));
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
