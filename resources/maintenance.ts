import { getMaintenance } from "../src/endpoints/api/maintenance/get-maintenance.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { ownServers } from "./suggestions.ts";
import { servers } from "../tools/id-lists.ts";

export default resource(getMaintenance, {
  uri: "tickmark://servers/{server_id}/maintenance",
  urls: ["/servers/{server_id}"],
  name: "maintenance",
  title: "Maintenance window",
  description:
    "Whether a maintenance window of an own server is in progress, until when and why; and the next planned one.",
  watchedFields: ["in_progress", "started_at", "ends_at", "reason"],
  ttlSeconds: 10,
  suggests: { server_id: ownServers },
  lists: { server_id: servers },
});
