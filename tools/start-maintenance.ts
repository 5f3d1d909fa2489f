import { startMaintenance } from "../src/endpoints/api/maintenance/start-maintenance.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(startMaintenance, {
  name: "start_maintenance",
  title: "Start maintenance",
  description:
    "Starts a maintenance window at once (only the dashboard plans recurring ones), or moves the end of the one in progress to now + duration_minutes. Alerts are recorded, nobody is notified.",
  arguments: { duration_minutes: "From now", reason: "Shown in the timeline" },
  toolset: "alerts",
  alsoIn: ["essentials"],
  urls: ["/servers/{server_id}"],
  lists: { server_id: servers },
  confirms: [
    {
      when: null,
      words: "Notify nobody of alerts of server {server_id} for the next {duration_minutes} minutes?",
    },
  ],
});
