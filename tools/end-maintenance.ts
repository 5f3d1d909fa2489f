import { endMaintenance } from "../src/endpoints/api/maintenance/end-maintenance.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(endMaintenance, {
  name: "end_maintenance",
  title: "End maintenance",
  description:
    "Ends a server's maintenance window; alerts still firing are notified then. ended is false when there was none.",
  toolset: "alerts",
  alsoIn: ["essentials"],
  urls: ["/servers/{server_id}"],
  lists: { server_id: servers },
});
