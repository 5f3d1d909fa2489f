import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { exampleRecurring } from "../../../core/maintenance/example-recurring.ts";
import { removeRecurring } from "../../../services/maintenance/change-recurring.ts";

export const deleteRecurringMaintenance = defineEndpoint({
  id: "recurring_maintenance.delete",
  method: "DELETE",
  path: "/recurring-maintenance/{id}",
  params: { id: "recurring_id" },
  access: { face: "web", who: "person" },
  summary: "Delete recurring maintenance for good; a window in progress stays as it is.",
  input: z.strictObject({ recurring_id: resourceIdInput() }),
  output: z.object({ deleted: z.boolean(), recurring_id: Id }),
  errors: ["not_found"],
  example: {
    input: { recurring_id: exampleRecurring.id },
    output: { deleted: true, recurring_id: exampleRecurring.id },
  },

  async handle({ recurring_id }, { db, caller, now, found }) {
    found((await db.write(removeRecurring, recurring_id, caller.account.id, now)) || null);
    return { deleted: true, recurring_id };
  },
});
