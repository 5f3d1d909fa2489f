import { type Replay, keyedReplayMs } from "../../core/replay.ts";
import {
  type Made,
  findSameBody,
  findReplayByKey,
  replaySlot,
  replayWindow,
} from "../../store/access/replays.ts";
import { writeReplayTable } from "../../store/access/tables.ts";
import { type Step, type Result, one } from "../../store/engine/database.ts";

/**
 * What earlier requests of the same intent made, newest first; runs inside the creation's unit of work. With a
 * key that is one thing at most, `mismatch` when the key came with another body; without a key it is whatever
 * the same body made, with a key or without one.
 */
export function* findEarlier(replay: Replay): Generator<Step, Made[] | "mismatch", Result> {
  if (replay.key === null) return yield* findSameBody(replay);
  const common = { account: replay.accountId, route: replay.route };
  const row = yield* one(findReplayByKey, {
    ...common,
    slot: replaySlot(replay),
    ...replayWindow(replay.now, keyedReplayMs),
  });
  if (!row) return [];
  return row.body_digest === replay.bodyDigest ? [writeReplayTable.toRecord(row)] : "mismatch";
}
