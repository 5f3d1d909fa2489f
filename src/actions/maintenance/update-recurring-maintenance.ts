import { action } from "../../contract/endpoint/action.ts";
import { z } from "zod";
import { resourceIdInput } from "../../core/id.ts";
import {
  normalRecurrence,
  recurringMaintenanceInput,
  recurrenceProblem,
  toRecurringMaintenance,
} from "../../core/maintenance/recurring.ts";
import { changeRecurring } from "../../services/maintenance/change-recurring.ts";

/** Only the sent fields change; a window in progress stays. */
export const updateRecurringMaintenance = action({
  id: "recurring_maintenance.update",
  who: "person",
  plan: "monitoring",
  input: {
    recurring_id: resourceIdInput(),
    ...z.strictObject(recurringMaintenanceInput).partial().shape,
    enabled: z.boolean().optional(),
  },
  errors: ["validation_error", "not_found"],

  async run({ recurring_id, ...sent }, { db, caller, now, fail, found }) {
    const changed = await db.write(changeRecurring, recurring_id, caller.account.id, now, (before) => {
      const after = {
        title: sent.title ?? before.title,
        ...normalRecurrence({
          cron: sent.schedule_cron ?? before.cron,
          timeZone: sent.time_zone ?? before.timeZone,
        }),
        durationMinutes: sent.duration_minutes ?? before.durationMinutes,
        enabled: sent.enabled ?? before.enabled,
      };
      const problem = recurrenceProblem(after, now);
      if (problem) fail("validation_error", problem.message, { field: problem.field });
      return after;
    });
    return toRecurringMaintenance(found(changed));
  },
});
