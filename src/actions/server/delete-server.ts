import { action } from "../../contract/endpoint/action.ts";
import { deleteServerOfAccount } from "../../services/server/delete-server.ts";
import { resourceIdInput } from "../../core/id.ts";
import { ownServer } from "./server-settings.ts";

/** Unlinks the server and deletes its data at once; reports stay with their author. */
export const deleteServer = action({
  id: "servers.delete",
  who: "person",
  freshProof: true,
  input: { server_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ server_id }, context) {
    const { db, caller, now } = context;
    const server = await ownServer(server_id, context);
    await deleteServerOfAccount(db, server.id, caller.account.id, now);
    return null;
  },
});
