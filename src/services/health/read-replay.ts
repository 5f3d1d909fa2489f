import { lastDaySlot } from "../../core/health/day-slot.ts";
import { tickBucketsOf, type LoadBucket } from "../../core/health/load-buckets.ts";
import {
  firstLoadDay,
  firstSlot,
  SlownessReplay,
  slotsFrom,
  type SlownessCheckpoint,
} from "../../core/health/slowness-replay.ts";
import { pacer } from "../../core/turns.ts";
import { dayMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import type { LoadedServer } from "./read-load-buckets.ts";
import { readLoad, type LoadDay } from "./read-load.ts";

interface ReadReplay {
  readonly replay: SlownessReplay;
  /** Whole days before the last one. */
  readonly days: readonly LoadDay[];
  /** Of these days and the last one, oldest first. */
  readonly buckets: readonly LoadBucket[];
  /** The times of the day at which baselines are computed. */
  readonly slots: readonly Instant[];
}

interface ReplaySpan {
  /** Where it goes on; null to begin 14 days before `from`. */
  readonly known: SlownessCheckpoint | null;
  /** The buckets that end by then are judged already. */
  readonly from: Instant;
  /** Buckets are read until then. */
  readonly to: Instant;
  readonly firstSampleAt: Instant | null;
}

/** Reads a server's buckets, and judges them until `from`. */
export async function readReplay(
  db: Database,
  server: LoadedServer,
  { known, from, to, firstSampleAt }: ReplaySpan,
): Promise<ReadReplay> {
  const slot = lastDaySlot(server.id, to);
  const start = known === null ? firstSlot(server.id, from) : Math.min(known.at + dayMs, slot);
  const load = await readLoad(db, server, { from: firstLoadDay(start), to, firstSampleAt });
  const buckets = [...load.days.flatMap((day) => day.buckets), ...load.today];
  const pause = pacer();
  await pause();
  const replay = new SlownessReplay(server.id, tickBucketsOf(buckets), known ?? start);
  for (const _ of replay.advance(from)) await pause();
  return { replay, days: load.days, buckets, slots: slotsFrom(start, slot) };
}
