import { closeMaintenance } from "../../../services/maintenance/close-maintenance.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { viewerOf } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { requireOwner } from "../../../contract/call/require-owner.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";
import { exampleMaintenance } from "./example-maintenance.ts";

export const endMaintenance = defineEndpoint({
  id: "maintenance.end",
  method: "POST",
  path: "/servers/{id}/maintenance/end",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:write", plan: "monitoring" },
  summary: "End the maintenance window in progress; alerts send notifications again.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: z.object({ ended: z.boolean(), server_id: Id, ended_at: Timestamp.nullable() }),
  errors: ["not_found", "not_owner"],
  idempotent: true,
  example: {
    input: { server_id: exampleMaintenance.server_id },
    output: { ended: true, server_id: exampleMaintenance.server_id, ended_at: "2026-11-20T07:34:00.000Z" },
  },

  async handle({ server_id }, { db, caller, now, fail, found }) {
    const server = found(await db.read(selectServer, server_id, viewerOf(caller)));
    requireOwner(server, caller, fail);
    const ended = await db.write(closeMaintenance, server.id, now);
    return { ended, server_id: server.id, ended_at: ended ? toTimestamp(now) : null };
  },
});
