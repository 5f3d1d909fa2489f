import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { completeList, pageOf } from "../../../contract/endpoint/page.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleRecurring } from "../../../core/maintenance/example-recurring.ts";
import { RecurringMaintenance, toRecurringMaintenance } from "../../../core/maintenance/recurring.ts";
import { recurringOf } from "../../../store/maintenance/recurring.ts";

export const listRecurringMaintenance = defineEndpoint({
  id: "recurring_maintenance.list",
  method: "GET",
  path: "/servers/{id}/recurring-maintenance",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary: "The recurring maintenance of an own server, oldest first, paused ones too.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: pageOf(RecurringMaintenance),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleRecurring.server_id },
    output: { data: [exampleRecurring], page: { cursor: null, has_more: false } },
  },

  async handle({ server_id }, { db, caller, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    return completeList((await db.read(recurringOf, server.id)).map(toRecurringMaintenance));
  },
});
