import { maintenanceOf } from "../../../store/maintenance/maintenance.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { Maintenance, toMaintenance } from "../../../core/maintenance/server-maintenance.ts";
import { exampleMaintenance } from "./example-maintenance.ts";

export const getMaintenance = defineEndpoint({
  id: "maintenance.get",
  method: "GET",
  path: "/servers/{id}/maintenance",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary:
    "Whether a maintenance window of an own server is in progress, until when and why; and the next one that is planned.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: Maintenance,
  errors: ["not_found"],
  example: { input: { server_id: exampleMaintenance.server_id }, output: exampleMaintenance },

  async handle({ server_id }, { db, caller, now, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    return toMaintenance(server.id, await db.read(maintenanceOf, server.id), now);
  },
});
