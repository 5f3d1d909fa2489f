import { action } from "../../contract/endpoint/action.ts";
import { selectGroup } from "../../store/server/groups.ts";
import { removeGroup } from "../../services/server/remove-group.ts";
import { resourceIdInput } from "../../core/id.ts";

/** Delete a server group; its servers stay, without a group. */
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
