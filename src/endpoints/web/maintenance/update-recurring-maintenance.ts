import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleRecurring } from "../../../core/maintenance/example-recurring.ts";
import {
  normalRecurrence,
  RecurringMaintenance,
  recurringMaintenanceInput,
  recurrenceProblem,
  toRecurringMaintenance,
} from "../../../core/maintenance/recurring.ts";
import { changeRecurring } from "../../../services/maintenance/change-recurring.ts";

export const updateRecurringMaintenance = defineEndpoint({
  id: "recurring_maintenance.update",
  method: "PATCH",
  path: "/recurring-maintenance/{id}",
  params: { id: "recurring_id" },
  access: { face: "web", who: "person", plan: "monitoring" },
  summary:
    "Change or pause recurring maintenance; only the fields sent change, and a window in progress stays as it is.",
  input: z.strictObject({
    recurring_id: resourceIdInput(),
    ...z.strictObject(recurringMaintenanceInput).partial().shape,
    enabled: z.boolean().optional(),
  }),
  output: RecurringMaintenance,
  errors: ["validation_error", "not_found"],
  example: {
    input: { recurring_id: exampleRecurring.id, enabled: false },
    output: { ...exampleRecurring, enabled: false, next_starts_at: null },
  },

  async handle({ recurring_id, ...sent }, { db, caller, now, fail, found }) {
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
