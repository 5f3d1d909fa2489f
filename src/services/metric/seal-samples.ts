import {
  mergedBlock,
  sealedBefore,
  windowMs,
  sealWindowStart,
  type SealedPoints,
} from "../../core/metric/block/merge-segments.ts";
import { segmentPointsAtMost } from "../../core/metric/block/segment.ts";
import { utcDay, type Instant } from "../../core/time.ts";
import { nextTurn } from "../../core/turns.ts";
import { type Database, type Work, all } from "../../store/engine/database.ts";
import { blockOf, saveBlock } from "../../store/metric/blocks.ts";
import { detailsCodec } from "../../store/metric/details.ts";
import { selectOldestSamples, takeSamples } from "../../store/metric/sealing.ts";
import { eachServer } from "../../store/metric/series-servers.ts";
import { lockServer } from "../../store/server/locks.ts";

/** Characters of details packed in one step: about 5 ms of the thread. */
const detailsAtATime = 300_000;

export function* addToBlock(server: string, points: SealedPoints): Work<void> {
  const day = utcDay(points.times[0] ?? 0);
  yield* saveBlock(server, day, mergedBlock(yield* blockOf(server, day), points, detailsCodec));
}

/**
 * Moves the oldest samples of one window into their day's block; returns how many. The server's lock makes
 * heartbeats wait, so that each sample is seen in exactly one place.
 */
function* sealWindow(server: string, before: Instant): Work<number> {
  yield* lockServer(server);
  const oldest = yield* all(selectOldestSamples, { server, before, limit: segmentPointsAtMost + 1 });
  const [first] = oldest;
  if (first === undefined) return 0;
  const windowEnd = sealWindowStart(first.at) + windowMs;
  let [points, size] = [0, 0];
  for (const sample of oldest) {
    size += sample.size;
    const isFull = points === segmentPointsAtMost || (points > 0 && size > detailsAtATime);
    if (isFull || sample.at >= windowEnd) break;
    points += 1;
  }
  const end = Math.min(before, windowEnd, oldest[points]?.at ?? before);
  const taken = yield* takeSamples(server, end);
  yield* addToBlock(server, taken);
  return taken.times.length;
}

async function* untilNone(step: () => Promise<number>): AsyncGenerator<number> {
  for (let moved = await step(); moved > 0; moved = await step()) {
    yield moved;
    await nextTurn();
  }
}

/**
 * Moves samples of closed windows into blocks, and yields the number of each step. A power cut may undo the
 * last steps, but only whole ones.
 */
export async function* sealSamples(db: Database, now: Instant): AsyncGenerator<number> {
  const before = sealedBefore(now);
  for await (const { id, oldestSample } of eachServer(db, now))
    if (oldestSample !== null && oldestSample < before)
      yield* untilNone(() => db.writeRelaxed(sealWindow, id, before));
}
