import { type Work, one, run } from "../../store/engine/database.ts";
import { lockGroup, leaveGroup, deleteGroup } from "../../store/server/groups.ts";

/** Its servers stay, in no group. */
export function* removeGroup(id: string, account: string): Work<void> {
  const row = yield* one(lockGroup, { id });
  if (row?.account_id !== account) return;
  yield* run(leaveGroup, { id });
  yield* run(deleteGroup, { id });
}
