import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { Maintenance, toMaintenance } from "../../../core/maintenance/maintenance.ts";
import { exampleMaintenance } from "./example-maintenance.ts";

export const getMaintenance = defineEndpoint({
  id: "maintenance.get",
  method: "GET",
  path: "/servers/{id}/maintenance",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary: "Whether a maintenance window of an own server is in progress, until when and why.",
  input: z.strictObject({ server_id: resourceIdInput() }),
  output: Maintenance,
  errors: ["not_found"],
  example: { input: { server_id: exampleMaintenance.server_id }, output: exampleMaintenance },

  async handle({ server_id }, { stores, caller, now, found }) {
    const server = found(await stores.servers.find(server_id, ownEyes(caller)));
    return toMaintenance(server.id, await stores.maintenance.find(server.id), now);
  },
});
