import { acknowledgeOpenAlert } from "../../../services/alert/acknowledge-alert.ts";
import { z } from "zod";
import { actingToken } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import type { Secrets } from "../../../app/access/secrets.ts";
import { Alert, toAlert, type AlertRecord } from "../../../core/alert/alert.ts";
import { alertAcknowledged, type ActingToken } from "../../../core/event/own-event.ts";
import { tokenNotice, type Trace } from "../../../core/event/trace.ts";
import { resourceIdInput } from "../../../core/id.ts";
import type { Instant } from "../../../core/time.ts";
import { exampleAlert } from "../../../core/alert/example-alert.ts";

export const acknowledgeAlert = defineEndpoint({
  id: "alerts.acknowledge",
  method: "POST",
  path: "/alert-events/{id}/acknowledge",
  params: { id: "alert_id" },
  access: { face: "api", scope: "monitoring:write", plan: "monitoring" },
  summary: "Acknowledge an alert: its notifications stop, and it stays open until it recovers.",
  input: z.strictObject({ alert_id: resourceIdInput() }),
  output: z.object({ acknowledged: z.boolean(), alert: Alert }),
  errors: ["not_found", "invalid_state"],
  idempotent: true,
  example: {
    input: { alert_id: exampleAlert.id },
    output: {
      acknowledged: true,
      alert: {
        ...exampleAlert,
        status: "acknowledged",
        acknowledged_at: "2026-11-20T07:34:00.000Z",
        acknowledged_by: "api",
      },
    },
  },

  async handle({ alert_id }, { db, caller, now, secrets, fail, found }) {
    const { account } = caller;
    const token = actingToken(caller);
    const by = token === null ? "dashboard" : "api";
    const result = await db.write(
      acknowledgeOpenAlert,
      alert_id,
      account.id,
      by,
      now,
      (alert) => token && traceOf(alert, account.id, token, secrets, now),
    );
    const { kind, alert } = found(result);
    if (kind === "resolved") {
      return fail(
        "invalid_state",
        "This alert is over, so it cannot be acknowledged. Nothing needs to be done.",
      );
    }
    return { acknowledged: kind === "acknowledged", alert: toAlert(alert) };
  },
});

/** Acknowledging stops an alert's messages, so a token's is recorded and the owner notified. */
const traceOf = (
  alert: AlertRecord,
  accountId: string,
  token: ActingToken,
  secrets: Secrets,
  now: Instant,
): Trace => ({
  event: alertAcknowledged({ id: secrets.newId(now), serverId: alert.serverId, now }, token, alert),
  notice: tokenNotice(
    { id: secrets.newId(now), accountId, serverId: alert.serverId },
    {
      kind: "alert_acknowledged",
      tokenName: token.name,
      client: token.client,
      subject: alert.ruleName,
      serverName: alert.serverName,
      until: null,
      at: now,
    },
  ),
});
