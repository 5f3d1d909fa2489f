import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { Refusal } from "../../../../core/errors.ts";
import { weekdays, weeklyCron } from "../../../../core/maintenance/weekly.ts";
import { endMaintenance } from "../../../../endpoints/api/maintenance/end-maintenance.ts";
import { startMaintenance } from "../../../../endpoints/api/maintenance/start-maintenance.ts";
import { createRecurringMaintenance } from "../../../../actions/maintenance/create-recurring-maintenance.ts";
import { deleteRecurringMaintenance } from "../../../../actions/maintenance/delete-recurring-maintenance.ts";
import { updateRecurringMaintenance } from "../../../../actions/maintenance/update-recurring-maintenance.ts";
import { typed, typedNumber } from "../../../form-values.ts";
import type { ActionResult, Submission } from "../../../page.ts";

type Sent = Submission<SessionCaller>;

const serverIn = ({ params }: Sent): string => params["id"] ?? "";
const recurringIn = ({ form }: Sent): string => form.get("recurring_id") ?? "";
const toCard = (sent: Sent, id: string): ActionResult => ({ to: `/servers/${serverIn(sent)}#${id}` });
const toRecurring = (sent: Sent): ActionResult => toCard(sent, "recurring-maintenance");

/** A cron expression, or days of the week and a time. */
function recurringFields({ form }: Sent) {
  const ticked = form.getAll("days");
  const days = weekdays.filter((day) => ticked.includes(day));
  const schedule_cron = typed(form, "schedule_cron") ?? weeklyCron({ days, time: form.get("time") ?? "" });
  if (schedule_cron === null)
    throw new Refusal("validation_error", "Choose at least one day and a time, or type a cron expression.");
  return {
    title: form.get("title") ?? "",
    schedule_cron,
    time_zone: form.get("time_zone") ?? "",
    duration_minutes: typedNumber(form, "duration_minutes") ?? Number.NaN,
  };
}

export const maintenanceActions: Readonly<Record<string, (sent: Sent) => Promise<ActionResult>>> = {
  "start-maintenance": async (sent) => {
    const duration = Number(sent.form.get("duration"));
    const reason = (sent.form.get("reason") ?? "").trim();
    if (!Number.isInteger(duration))
      throw new Refusal("validation_error", "Choose how long the maintenance lasts.");
    await sent.call(startMaintenance, {
      server_id: serverIn(sent),
      duration_minutes: duration,
      ...(reason !== "" && { reason }),
    });
    return toCard(sent, "maintenance");
  },
  "end-maintenance": async (sent) => {
    await sent.call(endMaintenance, { server_id: serverIn(sent) });
    return toCard(sent, "maintenance");
  },
  "create-recurring": async (sent) => {
    await sent.call(createRecurringMaintenance, { server_id: serverIn(sent), ...recurringFields(sent) });
    return toRecurring(sent);
  },
  "change-recurring": async (sent) => {
    await sent.call(updateRecurringMaintenance, {
      recurring_id: recurringIn(sent),
      ...recurringFields(sent),
    });
    return toRecurring(sent);
  },
  "switch-recurring": async (sent) => {
    const enabled = sent.form.get("enabled") === "yes";
    await sent.call(updateRecurringMaintenance, { recurring_id: recurringIn(sent), enabled });
    return toRecurring(sent);
  },
  "delete-recurring": async (sent) => {
    await sent.call(deleteRecurringMaintenance, { recurring_id: recurringIn(sent) });
    return toRecurring(sent);
  },
};
