import type { Replay, Replayed } from "../../core/replay.ts";
import type { NewGroup } from "../../core/server/records.ts";
import { maxSortOrder, type GroupRecord } from "../../core/server/server-group.ts";
import { noteMade } from "../../store/access/replays.ts";
import { type Work, run, one } from "../../store/engine/database.ts";
import { findEarlier } from "../access/find-earlier.ts";
import { serverGroupTable } from "../../store/server/tables.ts";
import { lockAccount } from "../../store/server/locks.ts";
import { findGroup, toGroup, countGroups, insertGroup } from "../../store/server/groups.ts";

type Created = Work<Replayed<GroupRecord> | null>;

/** Adds a group at the end, once per intent; null if the account already has the maximum. */
export function* addGroup(group: NewGroup, replay: Replay): Created {
  yield* lockAccount(group.accountId);
  const earlier = yield* findEarlier(replay);
  if (earlier === "mismatch") return { kind: "mismatch" };
  for (const { id, updatedAt } of earlier) {
    const made = yield* one(findGroup, { id, account: group.accountId });
    // Without a key, only an unchanged result counts as the same intent.
    if (made && (replay.key !== null || made.updated_at === updatedAt))
      return { kind: "same", value: toGroup(made) };
  }
  const counted = yield* one(countGroups, { account: group.accountId });
  if ((counted?.count ?? 0) >= group.limit) return null;
  const sortOrder = Math.min((counted?.last ?? -1) + 1, maxSortOrder);
  const made = { sortOrder, createdAt: group.now, updatedAt: group.now };
  yield* run(insertGroup, serverGroupTable.toRow({ ...group, ...made }));
  yield* noteMade(replay, group.id, group.now);
  const row = yield* one(findGroup, { id: group.id, account: group.accountId });
  if (!row) throw new Error("A group that was just made is gone.");
  return { kind: "created", value: toGroup(row) };
}
