import { type Replay, keyedReplayMs } from "../../core/replay.ts";
import {
  type Made,
  findSameBody,
  findReplayByKey,
  replaySlot,
  replayWindow,
} from "../../store/access/replays.ts";
import { writeReplayTable } from "../../store/access/tables.ts";
import { type Work, one } from "../../store/engine/database.ts";

/**
 * What earlier requests of the same intent created, newest first. With a key: at most one, or `mismatch` if
 * the key came with another body. Without: whatever the same body created, with or without a key.
 */
export function* findEarlier(replay: Replay): Work<Made[] | "mismatch"> {
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
