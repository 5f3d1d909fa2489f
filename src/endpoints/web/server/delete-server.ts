import { deleteServerOfAccount } from "../../../services/server/delete-server.ts";
import { z } from "zod";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleServer } from "../../../core/server/example-server.ts";
import { ownServer } from "./server-settings.ts";

export const deleteServer = defineEndpoint({
  id: "servers.delete",
  method: "DELETE",
  path: "/servers/{id}",
  params: { id: "server_id" },
  access: { face: "web", who: "person", freshProof: true },
  summary: "Unlink a server and delete all its data at once; its reports stay with their author.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: { input: { server_id: exampleServer.id }, output: null },

  async handle({ server_id }, context) {
    const { db, caller, now } = context;
    const server = await ownServer(server_id, context);
    await deleteServerOfAccount(db, server.id, caller.account.id, now);
    return nothing();
  },
});
