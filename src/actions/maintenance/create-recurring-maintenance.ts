import { action } from "../../contract/endpoint/action.ts";
import { selectServer } from "../../store/server/servers.ts";
import { viewerOf } from "../../contract/call/caller.ts";
import { requireOwner } from "../../contract/call/require-owner.ts";
import { resourceIdInput } from "../../core/id.ts";
import {
  mostRecurring,
  normalRecurrence,
  planned,
  recurringMaintenanceInput,
  recurrenceProblem,
  toRecurringMaintenance,
} from "../../core/maintenance/recurring.ts";
import { addRecurring } from "../../services/maintenance/add-recurring.ts";

/** Weekly or by any cron expression, in a time zone. */
export const createRecurringMaintenance = action({
  id: "recurring_maintenance.create",
  who: "person",
  plan: "monitoring",
  input: { server_id: resourceIdInput(), ...recurringMaintenanceInput },
  errors: ["validation_error", "not_found", "not_owner", "limit_reached"],

  async run({ server_id, ...sent }, { db, caller, now, secrets, replay, fail, found }) {
    const server = found(await db.read(selectServer, server_id, viewerOf(caller)));
    requireOwner(server, caller, fail);
    const recurrence = {
      ...normalRecurrence({ cron: sent.schedule_cron, timeZone: sent.time_zone }),
      durationMinutes: sent.duration_minutes,
    };
    const problem = recurrenceProblem(recurrence, now);
    if (problem) fail("validation_error", problem.message, { field: problem.field });
    const record = planned(
      {
        ...recurrence,
        id: secrets.newId(now),
        serverId: server.id,
        title: sent.title,
        enabled: true,
        createdAt: now,
        updatedAt: now,
      },
      now,
    );
    const made = await db.write(addRecurring, record, replay);
    if (made === null) {
      const message = `A server has at most ${mostRecurring} recurring maintenances, paused ones included. Change or delete one.`;
      return fail("limit_reached", message, { limit: mostRecurring });
    }
    return toRecurringMaintenance(made);
  },
});
