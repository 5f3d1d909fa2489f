import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { Alert, toAlert } from "../../../core/alert/alert.ts";
import { planDelivery, showDelivery } from "../../../core/alert/delivery.ts";
import { resourceIdInput } from "../../../core/id.ts";

const exampleId = "019a9f5e-1d00-7000-8000-000000000061";

export const getAlert = defineEndpoint({
  id: "alerts.get",
  method: "GET",
  path: "/alert-events/{id}",
  params: { id: "alert_id" },
  access: { face: "web", who: "person" },
  summary: "One alert of the account with what each channel did; lists of the API show the same.",
  input: z.strictObject({ alert_id: resourceIdInput() }),
  output: Alert,
  errors: ["not_found"],
  example: {
    input: { alert_id: exampleId },
    output: {
      id: exampleId,
      kind: "threshold",
      status: "open",
      server_id: "019a9f5e-1d00-7000-8000-000000000010",
      server_name: "Lobby",
      rule_id: "019a9f5e-1d00-7000-8000-000000000060",
      rule_name: "Low TPS",
      metric: "tps",
      condition: "below",
      threshold: 18,
      duration_minutes: 5,
      value: 14.2,
      worst_value: 11.9,
      server_state: "running",
      event: null,
      pending_since: "2026-11-20T07:20:00.000Z",
      opened_at: "2026-11-20T07:25:00.000Z",
      acknowledged_at: null,
      acknowledged_by: null,
      resolved_at: null,
      resolution_reason: null,
      in_maintenance: true,
      flapping: false,
      notified: false,
      delivery: showDelivery(planDelivery({ email: true, chat: false, in_app: true }, "maintenance")),
    },
  },

  async handle({ alert_id }, { stores, caller, found }) {
    return toAlert(found(await stores.alerts.find(alert_id, caller.account.id)));
  },
});
