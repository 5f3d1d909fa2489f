import { baselineOf, type LevelBaseline, type LevelBucket } from "./baseline.ts";
import { countedFields, type CountBaselines, type CountedField } from "./facts.ts";
import { tickBucketsOf, type LoadBucket } from "./load-buckets.ts";
import type { Instant } from "../time.ts";

/** What is kept of what is usual on a server: of its ticks, and of what its worlds hold. */
export interface ServerBaseline extends LevelBaseline {
  /** None where it was worked out before counts were. */
  readonly counts?: CountBaselines;
}

/** The buckets with a count; those without ticks and players are of a server that paused, where nothing is loaded. */
const countBucketsOf = (buckets: readonly LoadBucket[], field: CountedField): LevelBucket[] =>
  buckets.flatMap(({ at, mspt, mspt_region_avg, player_count, [field]: value }) => {
    const isAwake = mspt !== null || mspt_region_avg !== null || (player_count ?? 0) > 0;
    return value === null || player_count === null || !isAwake ? [] : [{ at, value, players: player_count }];
  });

/** What was usual of the counts in the 14 days before the one that begins at `day`; a field that was not counted has none. */
export function countBaselinesOf(buckets: readonly LoadBucket[], day: Instant): CountBaselines {
  const known = countedFields.flatMap((field) => {
    const baseline = baselineOf(countBucketsOf(buckets, field), day);
    return baseline.bands.length === 0 ? [] : [[field, baseline] as const];
  });
  return Object.fromEntries(known);
}

/** What was usual of a server in the 14 days before the one that begins at `day`. */
export const serverBaselineOf = (buckets: readonly LoadBucket[], day: Instant): ServerBaseline => ({
  ...baselineOf(tickBucketsOf(buckets), day),
  counts: countBaselinesOf(buckets, day),
});

/** That of its ticks alone. */
export const tickBaselineOf = ({ day, bands, enoughOn }: ServerBaseline): LevelBaseline => ({
  day,
  bands,
  enoughOn,
});
