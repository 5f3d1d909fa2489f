import { action } from "../../contract/endpoint/action.ts";
import { selectServer } from "../../store/server/servers.ts";
import { ownEyes } from "../../contract/call/caller.ts";
import { completeList } from "../../contract/endpoint/page.ts";
import { resourceIdInput } from "../../core/id.ts";
import { toRecurringMaintenance } from "../../core/maintenance/recurring.ts";
import { recurringOf } from "../../store/maintenance/recurring.ts";

export const listRecurringMaintenance = action({
  id: "recurring_maintenance.list",
  who: "person",
  input: { server_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ server_id }, { db, caller, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    return completeList((await db.read(recurringOf, server.id)).map(toRecurringMaintenance));
  },
});
