import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { requireOwner } from "../../../contract/access/require-owner.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleRecurring } from "../../../core/maintenance/example-recurring.ts";
import {
  mostRecurring,
  normalRecurrence,
  planned,
  RecurringMaintenance,
  recurringMaintenanceInput,
  recurrenceProblem,
  toRecurringMaintenance,
} from "../../../core/maintenance/recurring.ts";
import { addRecurring } from "../../../services/maintenance/add-recurring.ts";

export const createRecurringMaintenance = defineEndpoint({
  id: "recurring_maintenance.create",
  method: "POST",
  path: "/servers/{id}/recurring-maintenance",
  params: { id: "server_id" },
  access: { face: "web", who: "person", plan: "monitoring" },
  summary: "Create maintenance of a server that recurs: weekly or by any cron expression, in a time zone.",
  input: z.strictObject({ server_id: resourceIdInput(), ...recurringMaintenanceInput }),
  output: RecurringMaintenance,
  success: [201, 200],
  errors: ["validation_error", "not_found", "not_owner", "limit_reached"],
  idempotent: true,
  example: {
    input: {
      server_id: exampleRecurring.server_id,
      title: exampleRecurring.title,
      schedule_cron: exampleRecurring.schedule_cron,
      time_zone: exampleRecurring.time_zone,
      duration_minutes: exampleRecurring.duration_minutes,
    },
    output: exampleRecurring,
  },

  async handle({ server_id, ...sent }, { db, caller, now, secrets, replay, fail, found }) {
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
    return made.id === record.id ? created(toRecurringMaintenance(made)) : toRecurringMaintenance(made);
  },
});
