import { dayMs, hourMs, utcDay, type Instant } from "../time.ts";
import { baselineDays, baselineOf, type LevelBaseline, type LevelBucket } from "./baseline.ts";
import { countedFields, type CountBaselines, type CountedField } from "./facts.ts";
import type { LoadBucket } from "./load-buckets.ts";
import {
  leastToOpen,
  limitOf,
  stepUnusualLevel,
  unseenLevelState,
  type LevelEvidence,
  type LevelSettings,
  type OpenLevel,
} from "./unusual-level.ts";

/** Half as many again, and 100 more: below that, counts cost a tick nothing noticeable. */
const settings: LevelSettings = { leastRatio: 1.5, leastExcess: 100 };

/** Buckets of this time before the end decide whether there is more than usual, ms. */
const decidingMs = 3 * hourMs;

/** Without buckets in which the server was paused because nobody is online: it measures no ticks then. */
function countBucketsOf(buckets: readonly LoadBucket[], field: CountedField): LevelBucket[] {
  const counted: LevelBucket[] = [];
  for (const { at, mspt, mspt_region_avg, player_count: players, [field]: value } of buckets) {
    const isAwake = mspt !== null || mspt_region_avg !== null || (players ?? 0) > 0;
    if (isAwake && value !== null && players !== null) counted.push({ at, value, players });
  }
  return counted;
}

/** The open finding of one field after these buckets, oldest first; null if none. */
export const moreThanBaseline = (
  buckets: readonly LevelBucket[],
  baseline: LevelBaseline,
): OpenLevel | null => stepUnusualLevel(settings, unseenLevelState, buckets, baseline).state.open;

export const moreLimit = (evidence: LevelEvidence): ReturnType<typeof limitOf> => limitOf(settings, evidence);

/** No finding is possible without a sample of at least this much. */
export const leastMore = (baseline: LevelBaseline): number => leastToOpen(settings, baseline);

/** Whether `before` is kept: there is more than it says, and not yet for 14 days. */
function standsStill(before: LevelBaseline, buckets: readonly LevelBucket[], day: Instant): boolean {
  if (day - before.day >= baselineDays * dayMs) return false;
  const end = buckets.at(-1)?.at ?? 0;
  return (
    moreThanBaseline(
      buckets.filter(({ at }) => at > end - decidingMs),
      before,
    ) !== null
  );
}

/** Null if there is too little data of the field. */
function nextBaseline(
  before: LevelBaseline | null,
  buckets: readonly LevelBucket[],
  slot: Instant,
): LevelBaseline | null {
  const [passed, day] = [buckets.filter(({ at }) => at < slot), utcDay(slot)];
  const next = before && standsStill(before, passed, day) ? before : baselineOf(passed, day);
  return next.bands.length === 0 ? null : next;
}

/**
 * The usual counts as computed at `slot`, from the 14 whole days (UTC) before it. A baseline of `before` is kept
 * while there is more than it says: a lasting rise must not become its own measure.
 */
export function countBaselinesOf(
  buckets: readonly LoadBucket[],
  slot: Instant,
  before: CountBaselines,
): CountBaselines {
  const counts: Partial<Record<CountedField, LevelBaseline>> = {};
  for (const field of countedFields) {
    const next = nextBaseline(before[field] ?? null, countBucketsOf(buckets, field), slot);
    if (next) counts[field] = next;
  }
  return counts;
}
