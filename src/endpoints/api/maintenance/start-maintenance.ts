import { beginMaintenance } from "../../../services/maintenance/begin-maintenance.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { actingToken, viewerOf, type AccountCaller } from "../../../contract/call/caller.ts";
import type { Secrets } from "../../../app/access/secrets.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { requireOwner } from "../../../contract/call/require-owner.ts";
import { maintenanceStart } from "../../../core/event/own-event.ts";
import { tokenNotice, type Trace } from "../../../core/event/trace.ts";
import { resourceIdInput } from "../../../core/id.ts";
import {
  longestMinutes,
  MaintenanceReason,
  shortestMinutes,
  type GrantedWindow,
} from "../../../core/maintenance/maintenance.ts";
import { Maintenance, toMaintenance } from "../../../core/maintenance/server-maintenance.ts";
import type { ServerRecord } from "../../../core/server/server.ts";
import type { Instant } from "../../../core/time.ts";
import { exampleMaintenance } from "./example-maintenance.ts";

export const startMaintenance = defineEndpoint({
  id: "maintenance.start",
  method: "POST",
  path: "/servers/{id}/maintenance",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:write", plan: "monitoring" },
  summary:
    "Start a maintenance window, or move the end of the one in progress: alerts are recorded, and nobody is notified.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    duration_minutes: z.int().min(shortestMinutes).max(longestMinutes),
    reason: MaintenanceReason.optional(),
  }),
  output: Maintenance.extend({ extended: z.boolean() }),
  errors: ["not_found", "not_owner"],
  idempotent: true,
  example: {
    input: { server_id: exampleMaintenance.server_id, duration_minutes: 60, reason: "Moving to a new disk" },
    output: { ...exampleMaintenance, extended: false },
  },

  async handle({ server_id, duration_minutes, reason }, { db, caller, now, secrets, fail, found }) {
    const server = found(await db.read(selectServer, server_id, viewerOf(caller)));
    requireOwner(server, caller, fail);
    const granted = await db.write(
      beginMaintenance,
      {
        serverId: server.id,
        durationMinutes: duration_minutes,
        reason: reason ?? null,
        by: caller.kind === "token" ? "api" : "dashboard",
        now,
      },
      (window) => traceOf(window, server, caller, secrets, now),
    );
    const { written, previousEnd } = granted;
    return { ...toMaintenance(server.id, written, now), extended: previousEnd !== null };
  },
});

/** The timeline records starts only; the owner is also notified if a token moves the end much later. */
function traceOf(
  window: GrantedWindow,
  server: ServerRecord,
  caller: AccountCaller,
  secrets: Secrets,
  now: Instant,
): Trace | null {
  const { record, previousEnd, isNews } = window;
  if (!isNews) return null;
  const token = actingToken(caller);
  const notice =
    token &&
    tokenNotice(
      { id: secrets.newId(now), accountId: caller.account.id, serverId: server.id },
      {
        kind: previousEnd === null ? "maintenance_start" : "maintenance_extended",
        tokenName: token.name,
        client: token.client,
        subject: record.reason,
        serverName: server.name,
        until: record.endsAt,
        at: now,
      },
    );
  if (previousEnd !== null) return { event: null, notice };
  const occasion = { id: secrets.newId(now), serverId: server.id, now };
  return { event: maintenanceStart(occasion, token, record), notice };
}
