import { getMaintenance } from "../src/endpoints/api/maintenance/get-maintenance.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(getMaintenance, {
  name: "get_maintenance",
  title: "Maintenance window",
  description:
    "Is maintenance of an own server on, until when and why; and the next planned one. Whether it runs: get_server_status.",
  toolset: "alerts",
  urls: ["/servers/{server_id}"],
  lists: { server_id: servers },
});
