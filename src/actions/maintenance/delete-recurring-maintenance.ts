import { action } from "../../contract/endpoint/action.ts";
import { resourceIdInput } from "../../core/id.ts";
import { removeRecurring } from "../../services/maintenance/change-recurring.ts";

/** A window in progress stays. */
export const deleteRecurringMaintenance = action({
  id: "recurring_maintenance.delete",
  who: "person",
  input: { recurring_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ recurring_id }, { db, caller, now, found }) {
    found((await db.write(removeRecurring, recurring_id, caller.account.id, now)) || null);
    return { deleted: true, recurring_id };
  },
});
