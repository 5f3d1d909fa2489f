import { selectGroup } from "../../../store/server/groups.ts";
import { removeGroup } from "../../../services/server/remove-group.ts";
import { z } from "zod";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";

export const deleteServerGroup = defineEndpoint({
  id: "server_groups.delete",
  method: "DELETE",
  path: "/server-groups/{id}",
  params: { id: "group_id" },
  access: { face: "web", who: "person" },
  summary: "Delete a server group; its servers stay, without a group.",
  input: z.strictObject({ group_id: resourceIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: { input: { group_id: "019a9f5e-1d00-7000-8000-000000000020" }, output: null },

  async handle({ group_id }, { db, caller, found }) {
    const group = found(await db.read(selectGroup, group_id, caller.account.id));
    await db.write(removeGroup, group.id, caller.account.id);
    return nothing();
  },
});
