import { selectGroup } from "../../../store/server/groups.ts";
import { changeGroup } from "../../../services/server/change-group.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { colorOrNone, maxSortOrder, ServerGroup, toServerGroup } from "../../../core/server/server-group.ts";
import { callerName, plainText } from "../../../core/text/third-party-text.ts";
import { exampleGroup } from "./example-group.ts";

export const updateServerGroup = defineEndpoint({
  id: "server_groups.update",
  method: "PATCH",
  path: "/server-groups/{id}",
  params: { id: "group_id" },
  access: { face: "api", scope: "servers:write" },
  summary: "Rename, recolour or reorder a server group.",
  input: z.strictObject({
    group_id: resourceIdInput(),
    name: callerName(64).optional(),
    color: plainText(256).nullable().optional(),
    sort_order: z.int().min(0).max(maxSortOrder).optional(),
  }),
  output: ServerGroup,
  errors: ["not_found"],
  example: { input: { group_id: exampleGroup.id, color: "green" }, output: exampleGroup },

  async handle({ group_id, name, color, sort_order }, { db, caller, now, found }) {
    const account = caller.account.id;
    found(await db.read(selectGroup, group_id, account));
    const changes = {
      ...(name !== undefined && { name }),
      ...(color !== undefined && { color: colorOrNone(color) }),
      ...(sort_order !== undefined && { sortOrder: sort_order }),
    };
    await db.write(changeGroup, group_id, changes, now);
    return toServerGroup(found(await db.read(selectGroup, group_id, account)));
  },
});
