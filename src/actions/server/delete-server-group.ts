import { action } from "../../contract/endpoint/action.ts";
import { resourceIdInput } from "../../core/id.ts";
import { type Work, one, run } from "../../store/engine/database.ts";
import { deleteGroup, leaveGroup, lockGroup, selectGroup } from "../../store/server/groups.ts";

/** Its servers stay, without a group. */
export const deleteServerGroup = action({
  id: "server_groups.delete",
  who: "person",
  input: { group_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ group_id }, { db, caller, found }) {
    const group = found(await db.read(selectGroup, group_id, caller.account.id));
    await db.write(removeGroup, group.id, caller.account.id);
    return null;
  },
});

function* removeGroup(id: string, account: string): Work<void> {
  const row = yield* one(lockGroup, { id });
  if (row?.account_id !== account) return;
  yield* run(leaveGroup, { id });
  yield* run(deleteGroup, { id });
}
