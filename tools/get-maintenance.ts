import { getMaintenance } from "../src/endpoints/api/maintenance/get-maintenance.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(getMaintenance, {
  name: "get_maintenance",
  title: "Maintenance window",
  description:
    "Whether a maintenance window of an own server is in progress, until when and why; and the next planned one.",
  toolset: "alerts",
  urls: ["/servers/{server_id}"],
  lists: { server_id: servers },
});
