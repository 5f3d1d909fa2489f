import type { GroupChanges } from "../../core/server/records.ts";
import type { Instant } from "../../core/time.ts";
import { type Work, one, run } from "../../store/engine/database.ts";
import { lockGroup, toGroup, updateGroupRow } from "../../store/server/groups.ts";

export function* changeGroup(id: string, changes: GroupChanges, now: Instant): Work<void> {
  const row = yield* one(lockGroup, { id });
  if (!row) return;
  const { name, color, sortOrder } = { ...toGroup({ ...row, servers: null }), ...changes };
  if (name === row.name && color === row.color && sortOrder === row.sort_order) return;
  // Later than any earlier version, so that `updated_at` identifies versions.
  yield* run(updateGroupRow, { id, name, color, order: sortOrder, now: Math.max(now, row.updated_at + 1) });
}
