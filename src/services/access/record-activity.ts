import type { Activity } from "../../core/access/activity.ts";
import { accountThatStays, insertActivityRows } from "../../store/access/activity.ts";
import { activityTable } from "../../store/access/tables.ts";
import { insertAll } from "../../store/engine/bulk.ts";
import { type Work, one } from "../../store/engine/database.ts";

/** Skips entries of deleted accounts. */
export function* recordActivityOfTokens(activity: readonly Activity[]): Work<void> {
  const alive = new Set<string>();
  for (const id of new Set(activity.map(({ accountId }) => accountId)))
    if (yield* one(accountThatStays, { id })) alive.add(id);
  yield* insertAll(
    insertActivityRows,
    activity.filter(({ accountId }) => alive.has(accountId)).map(activityTable.toRow),
  );
}
