import { dayMs, hourMs, type Instant } from "../time.ts";
import { baselineDays, baselineOf, type LevelBaseline, type LevelBucket } from "./baseline.ts";
import { countedFields, type CountBaselines, type CountedField } from "./facts.ts";
import type { LoadBucket } from "./load-buckets.ts";
import {
  leastToOpen,
  stepUnusualLevel,
  unseenLevelState,
  type LevelSettings,
  type OpenLevel,
} from "./unusual-level.ts";

/** Half as many again, and 100 more: so few of the three cost a tick nothing that is felt. */
const settings: LevelSettings = { leastRatio: 1.5, leastExcess: 100 };

/** Buckets of so long before the end decide whether there is more than usual. */
const decidingMs = 3 * hourMs;

/** The buckets that have the field and a number of players; a server that pauses, for nobody is on it, measures no ticks. */
function countBucketsOf(buckets: readonly LoadBucket[], field: CountedField): LevelBucket[] {
  const counted: LevelBucket[] = [];
  for (const { at, mspt, mspt_region_avg, player_count: players, [field]: value } of buckets) {
    const isAwake = mspt !== null || mspt_region_avg !== null || (players ?? 0) > 0;
    if (isAwake && value !== null && players !== null) counted.push({ at, value, players });
  }
  return counted;
}

/** What is open of one field after these buckets, oldest first; null where nothing is. */
export const moreThanBaseline = (
  buckets: readonly LevelBucket[],
  baseline: LevelBaseline,
): OpenLevel | null => stepUnusualLevel(settings, unseenLevelState, buckets, baseline).state.open;

/** Without a sample of so much there is no more than usual. */
export const leastMore = (baseline: LevelBaseline): number => leastToOpen(settings, baseline);

/** Whether the baseline of `before` goes on: there is more than it says, and not for so long that this is usual. */
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

/** What is usual on a day after what was usual before; null where there is too little of the field. */
function nextBaseline(
  before: LevelBaseline | null,
  buckets: readonly LevelBucket[],
  day: Instant,
): LevelBaseline | null {
  const next = before && standsStill(before, buckets, day) ? before : baselineOf(buckets, day);
  return next.bands.length === 0 ? null : next;
}

/**
 * What is usual of each counted field on the day (UTC) that begins at `day`, of the buckets of the 14 days before it. A
 * baseline of `before` stands still while there is more than it says: what lasts must not become its own measure.
 */
export function countBaselinesOf(
  buckets: readonly LoadBucket[],
  day: Instant,
  before: CountBaselines,
): CountBaselines {
  const counts: Partial<Record<CountedField, LevelBaseline>> = {};
  for (const field of countedFields) {
    const next = nextBaseline(before[field] ?? null, countBucketsOf(buckets, field), day);
    if (next) counts[field] = next;
  }
  return counts;
}

/** What is usual of one field on the last of these days, each worked out after the one before from the buckets before it. */
export function replayedCountBaseline(
  buckets: readonly LoadBucket[],
  field: CountedField,
  days: readonly Instant[],
): LevelBaseline | null {
  const ofField = countBucketsOf(buckets, field);
  return days.reduce<LevelBaseline | null>(
    (before, day) =>
      nextBaseline(
        before,
        ofField.filter(({ at }) => at < day),
        day,
      ),
    null,
  );
}
