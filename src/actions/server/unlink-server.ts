import { action } from "../../contract/endpoint/action.ts";
import { unlinkServerOfAccount } from "../../services/server/unlink-from-account.ts";
import { resourceIdInput } from "../../core/id.ts";
import { restorableMs } from "../../core/server/leaving.ts";
import { toTimestamp } from "../../core/time.ts";
import { ownServer } from "./server-settings.ts";

/** A new link within 30 days restores the server and its data. */
export const unlinkServer = action({
  id: "servers.unlink",
  who: "person",
  freshProof: true,
  input: { server_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ server_id }, context) {
    const { db, caller, now } = context;
    const server = await ownServer(server_id, context);
    await db.write(unlinkServerOfAccount, server.id, caller.account.id, now);
    return { kept_until: toTimestamp(now + restorableMs) };
  },
});
