import type { CountBaselines, UsualTicks } from "../../core/health/facts.ts";
import { countBaselinesOf, tickBaselineOf } from "../../core/health/count-baselines.ts";
import { baselineDays, baselineOf, type LevelBaseline } from "../../core/health/baseline.ts";
import { loadBucketMs, tickBucketsOf } from "../../core/health/load-buckets.ts";
import { stepSlowerThanUsual } from "../../core/health/slower-than-usual.ts";
import { unseenLevelState, type LevelChange, type LevelState } from "../../core/health/unusual-level.ts";
import { dayMs, minuteMs, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import type { StoredBaseline } from "../../store/health/baselines.ts";
import { readLoadBuckets } from "./read-load-buckets.ts";
import { dayStart } from "./refresh-baseline.ts";

type Followed = { readonly id: string; readonly bootTimestamp: Instant | null };

/** Buckets of so long before the one that just closed decide together with it. */
const decidingMs = 45 * minuteMs;

/** A state in which nothing is open, and no run of slow buckets has begun, is as good as none. */
const worthKeeping = (state: LevelState): LevelState | null =>
  state.open === null && state.suffix === null ? null : state;

/**
 * The state of a server after the buckets that closed by `closed`, with what they changed. Without a state the last 45
 * minutes are seen anew.
 */
export async function followSlowness(
  db: Database,
  server: Followed,
  { baseline, slowState }: Pick<StoredBaseline, "baseline" | "slowState">,
  closed: Instant,
): Promise<{ readonly slowState: LevelState | null; readonly changes: readonly LevelChange[] }> {
  const seenTo = slowState?.seenTo ?? null;
  const from = seenTo === null ? closed - decidingMs : Math.max(seenTo + loadBucketMs, closed - dayMs);
  const buckets = tickBucketsOf(await readLoadBuckets(db, server, from, closed));
  const { state, changes } = stepSlowerThanUsual(
    slowState ?? unseenLevelState,
    buckets,
    tickBaselineOf(baseline),
  );
  return { slowState: worthKeeping(state), changes };
}

/** Days before the one that is judged from which on a slowdown is looked for in a period that is over. */
const replayedDays = 2;

/** What was usual at the end of a period: of the ticks with how they stood against it, and of what the worlds hold. */
interface Usual extends UsualTicks {
  readonly counts: CountBaselines;
}

/**
 * What was usual at the end of a period that is over: the buckets of the last days are judged once more, each day by
 * its own baseline.
 */
export async function replaySlowness(db: Database, server: Followed, to: Instant): Promise<Usual> {
  const last = dayStart(to);
  const first = last - replayedDays * dayMs;
  const loads = await readLoadBuckets(db, server, first - baselineDays * dayMs, to);
  const buckets = tickBucketsOf(loads);
  let state: LevelState = unseenLevelState;
  let baseline: LevelBaseline | null = null;
  for (let day = first; day <= last; day += dayMs) {
    baseline = baselineOf(buckets, day);
    const ofDay = buckets.filter(({ at }) => at >= day && at < day + dayMs);
    ({ state } = stepSlowerThanUsual(state, ofDay, baseline));
  }
  return { baseline, slowness: state.open, counts: countBaselinesOf(loads, last) };
}
