import { alertOfAccount } from "../../../store/alert/alerts.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Alert, toAlert } from "../../../core/alert/alert.ts";
import { exampleAlert } from "../../../core/alert/example-alert.ts";
import { planDelivery, showDelivery } from "../../../core/alert/delivery.ts";
import { resourceIdInput } from "../../../core/id.ts";

/** One that was kept quiet: this page answers why no message went out. */
const quietAlert: Alert = {
  ...exampleAlert,
  in_maintenance: true,
  notified: false,
  delivery: showDelivery(planDelivery({ email: true, chat: false, in_app: true }, "maintenance")),
};

export const getAlert = defineEndpoint({
  id: "alerts.get",
  method: "GET",
  path: "/alert-events/{id}",
  params: { id: "alert_id" },
  access: { face: "web", who: "person" },
  summary: "One alert of the account, with what each channel did, as in the lists of the API.",
  input: z.strictObject({ alert_id: resourceIdInput() }),
  output: Alert,
  errors: ["not_found"],
  example: { input: { alert_id: quietAlert.id }, output: quietAlert },

  async handle({ alert_id }, { db, caller, found }) {
    return toAlert(found(await db.read(alertOfAccount, alert_id, caller.account.id)));
  },
});
