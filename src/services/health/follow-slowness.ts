import { type HealthFacts } from "../../core/health/facts.ts";
import { closedAt } from "../../core/health/closed-bucket.ts";
import type { LevelBucket } from "../../core/health/baseline.ts";
import { lookBackMs } from "../../core/health/level-beginning.ts";
import { tickBucketsOf } from "../../core/health/load-buckets.ts";
import { bucketMs } from "../../core/metric/chunk.ts";
import { stepSlowerThanUsual } from "../../core/health/slower-than-usual.ts";
import { hasOpened, type LevelChange, type LevelState } from "../../core/health/unusual-level.ts";
import type { Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { baselineOfServer, type StoredBaseline, type WholeBaseline } from "../../store/health/baselines.ts";
import type { PresentFacts } from "../../store/health/present-facts.ts";
import { readLoadBuckets, type LoadedServer } from "./read-load-buckets.ts";
import { readReplay } from "./read-replay.ts";
import { countsAt, worthKeeping } from "./refresh-baseline.ts";

export type Usual = Pick<HealthFacts, "usual" | "countBaselines">;

const bucketsBefore = async (db: Database, server: LoadedServer, from: Instant): Promise<LevelBucket[]> =>
  tickBucketsOf(await readLoadBuckets(db, server, from - lookBackMs, from));

/**
 * The state after the buckets that closed by `closed`, and the changes. Without a state it begins at the
 * server's time of the day, where the checkpoint has it.
 */
export async function followSlowness(
  db: Database,
  server: LoadedServer,
  { baseline, slowState }: Pick<StoredBaseline, "baseline" | "slowState">,
  closed: Instant,
  present?: PresentFacts,
): Promise<{ readonly slowState: LevelState | null; readonly changes: readonly LevelChange[] }> {
  const checkpoint = slowState === null ? (await db.read(baselineOfServer, server.id))?.checkpoint : null;
  const known = slowState ?? checkpoint?.state;
  if (known === undefined) return { slowState: null, changes: [] };
  const from = Math.max(checkpoint?.at ?? 0, (known.seenTo ?? 0) + bucketMs);
  const buckets = tickBucketsOf(await readLoadBuckets(db, server, from, closed, present));
  const step = stepSlowerThanUsual(known, buckets, baseline);
  // Only the beginning of a finding needs the buckets before, so they are read once one opens.
  const { state, changes } = hasOpened(step.changes)
    ? stepSlowerThanUsual(known, buckets, baseline, await bucketsBefore(db, server, from))
    : step;
  return { slowState: worthKeeping(state), changes };
}

export const keptUsual = ({ baseline, slowState, counts }: WholeBaseline): Usual => ({
  usual: { baseline, slowness: slowState?.open ?? null, past: slowState?.past ?? [] },
  countBaselines: counts,
});

/**
 * Usual values and slowness at the end of a past period, judged from the samples as they are now: as they were
 * judged then, if all samples had arrived.
 */
export async function replayUsual(
  db: Database,
  server: LoadedServer,
  to: Instant,
  firstSampleAt: Instant | null,
): Promise<Usual> {
  const closed = closedAt(to);
  const span = { known: null, from: closed, to: closed, firstSampleAt };
  const { replay, buckets, slots } = await readReplay(db, server, span);
  return { usual: replay.usual, countBaselines: await countsAt(buckets, slots, {}) };
}
