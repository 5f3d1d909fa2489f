import { countedFields, type CountedField, type HealthFacts } from "../../core/health/facts.ts";
import { baselineDays, baselineOf, type LevelBaseline } from "../../core/health/baseline.ts";
import { replayedCountBaseline } from "../../core/health/count-baselines.ts";
import { tickBucketsOf } from "../../core/health/load-buckets.ts";
import { bucketMs } from "../../core/metric/chunk.ts";
import { stepSlowerThanUsual } from "../../core/health/slower-than-usual.ts";
import {
  unseenLevelState,
  unusualSpans,
  type LevelChange,
  type LevelState,
} from "../../core/health/unusual-level.ts";
import { dayMs, minuteMs, utcDay, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import type { StoredBaseline, WholeBaseline } from "../../store/health/baselines.ts";
import type { PresentFacts } from "../../store/health/present-facts.ts";
import { pacer } from "../../core/turns.ts";
import { readLoadBuckets, type LoadedServer } from "./read-load-buckets.ts";
import { readLoad } from "./refresh-baseline.ts";

export type Usual = Pick<HealthFacts, "usual" | "countBaselines">;

/** Time before the newest closed bucket whose buckets also decide, ms. */
const decidingMs = 45 * minuteMs;

/** Whether something is open, or a run of slow buckets has begun. */
export const isFollowing = (state: LevelState | null): boolean =>
  state !== null && (state.open !== null || state.suffix !== null);

/** Null if the state says nothing: nothing is open, and nothing ended lately. */
const worthKeeping = (state: LevelState): LevelState | null =>
  isFollowing(state) || (state.past ?? []).length > 0 ? state : null;

/** Days before the judged day that are searched for a slowdown that nobody followed. */
const replayedDays = 2;

/**
 * The state after the buckets that closed by `closed`, and the changes. Without a state it replays the last
 * 45 minutes, and the days before if all of these were slow: nobody followed how that began.
 */
export async function followSlowness(
  db: Database,
  server: LoadedServer,
  { baseline, slowState }: Pick<StoredBaseline, "baseline" | "slowState">,
  closed: Instant,
  present?: PresentFacts,
): Promise<{ readonly slowState: LevelState | null; readonly changes: readonly LevelChange[] }> {
  const stepFrom = async (from: Instant) => {
    const buckets = tickBucketsOf(await readLoadBuckets(db, server, from, closed, present));
    return {
      ...stepSlowerThanUsual(slowState ?? unseenLevelState, buckets, baseline),
      first: buckets[0]?.at,
    };
  };
  const seenTo = slowState?.seenTo ?? null;
  const from = seenTo === null ? closed - decidingMs : Math.max(seenTo + bucketMs, closed - dayMs);
  const { state, changes, first } = await stepFrom(from);
  if (seenTo !== null || state.open === null || state.open.since !== first)
    return { slowState: worthKeeping(state), changes };
  const whole = await stepFrom(closed - replayedDays * dayMs);
  const { open } = whole.state;
  if (open === null) return { slowState: state, changes };
  // Slowdowns that ended earlier are no changes now.
  return { slowState: whole.state, changes: whole.changes.filter(({ since }) => since === open.since) };
}

export const keptUsual = ({ baseline, slowState, counts }: WholeBaseline): Usual => ({
  usual: { baseline, slowness: slowState?.open ?? null, past: slowState?.past ?? [] },
  countBaselines: counts,
});

/**
 * Usual values and slowness at the end of a past period, replaying as many days as a baseline has, each against
 * its own: slowdowns in them are in no baseline.
 */
export async function replayUsual(
  db: Database,
  server: LoadedServer,
  to: Instant,
  firstSampleAt: Instant | null,
): Promise<Usual> {
  const last = utcDay(to);
  const first = last - baselineDays * dayMs;
  const { days, today } = await readLoad(db, server, {
    from: first - baselineDays * dayMs,
    to,
    firstSampleAt,
  });
  const loads = [...days.flatMap(({ buckets }) => buckets), ...today];
  const buckets = tickBucketsOf(loads);
  const pause = pacer();
  const judgedDays = Array.from({ length: baselineDays + 1 }, (_, index) => first + index * dayMs);
  let state: LevelState = unseenLevelState;
  let baseline: LevelBaseline | null = null;
  for (const day of judgedDays) {
    await pause();
    baseline = baselineOf(buckets, day, unusualSpans(state), baseline);
    const ofDay = buckets.filter(({ at }) => at >= day && at < day + dayMs);
    ({ state } = stepSlowerThanUsual(state, ofDay, baseline));
  }
  const countBaselines: Partial<Record<CountedField, LevelBaseline>> = {};
  for (const field of countedFields) {
    await pause();
    const usual = replayedCountBaseline(loads, field, judgedDays);
    if (usual) countBaselines[field] = usual;
  }
  return { usual: { baseline, slowness: state.open, past: state.past ?? [] }, countBaselines };
}
