import { sealedBefore } from "../../core/metric/block/merge-segments.ts";
import { ownReachMs, replacedBy } from "../../core/metric/imported.ts";
import type { Instant } from "../../core/time.ts";
import type { Work } from "../../store/engine/database.ts";
import { selectSealedTimes } from "../../store/metric/blocks.ts";
import { dropImported, selectSampleMarks } from "../../store/metric/imported-samples.ts";
import { insertSamples, type ReceivedSample } from "../../store/metric/samples.ts";
import { forgetLoadDays, judgeAgainFrom } from "../health/late-data.ts";

/** Returns how many samples are new. What was concluded without them is concluded again. */
export function* addSamples(serverId: string, samples: readonly ReceivedSample[], now: number): Work<number> {
  const known = yield* selectSealedTimes(
    serverId,
    samples.map(({ sampledAt }) => sampledAt).filter((at) => at < sealedBefore(now)),
  );
  const unknown = samples.filter(({ sampledAt }) => !known.has(sampledAt));
  const added = yield* insertSamples(serverId, unknown);
  const times = unknown.map(({ sampledAt }) => sampledAt);
  if (added === 0) return 0;
  yield* forgetLoadDays(serverId, times, now);
  yield* judgeAgainFrom(serverId, times, now);
  return added;
}

/** Drops imported samples that own samples of these times take the place of. Call it before those are stored. */
export function* replaceImported(serverId: string, own: readonly Instant[]): Work<void> {
  if (own.length === 0) return;
  const [first, last] = own.reduce(
    ([least, most], at) => [Math.min(least, at), Math.max(most, at)],
    [Number.POSITIVE_INFINITY, 0],
  );
  const known = yield* selectSampleMarks(serverId, first - ownReachMs, last + ownReachMs);
  yield* dropImported(serverId, replacedBy(own, known));
}
