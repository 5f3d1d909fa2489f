import { selectServer } from "../../../store/server/servers.ts";
import { changeServer } from "../../../services/server/change-server.ts";
import { selectGroup } from "../../../store/server/groups.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { Server, toServer } from "../../../core/server/server.ts";
import { exampleServer } from "../../../core/server/example-server.ts";
import { requireOwner } from "../../../contract/call/require-owner.ts";

export const setServerGroup = defineEndpoint({
  id: "servers.set_group",
  method: "PUT",
  path: "/servers/{id}/group",
  params: { id: "server_id" },
  access: { face: "api", scope: "servers:write" },
  summary: "Put a server into a group of the account; null takes it out of its group.",
  input: z.strictObject({ server_id: resourceIdInput(), group_id: resourceIdInput().nullable() }),
  output: Server,
  errors: ["not_found", "not_owner"],
  example: {
    input: { server_id: exampleServer.id, group_id: null },
    output: exampleServer,
  },

  async handle({ server_id, group_id }, { db, caller, fail, found }) {
    const viewer = viewerOf(caller);
    const server = found(await db.read(selectServer, server_id, viewer), { field: "server_id" });
    if (group_id !== null)
      found(await db.read(selectGroup, group_id, caller.account.id), { field: "group_id" });
    requireOwner(server, caller, fail);
    await db.write(changeServer, server.id, { groupId: group_id });
    return toServer({ ...server, groupId: group_id }, caller.account.id);
  },
});
