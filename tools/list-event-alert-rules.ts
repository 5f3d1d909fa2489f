import { listEventAlertRules } from "../src/endpoints/api/alert/list-event-alert-rules.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(listEventAlertRules, {
  name: "list_event_alert_rules",
  title: "List event rules",
  description:
    "Rules that alert on timeline events (bans, crashes, restarts) of an own server; only the dashboard makes them. Empty lists in a rule match everything.",
  toolset: "alerts",
  urls: ["/servers/{server_id}/rules"],
  lists: { server_id: servers },
  needs: "monitoring",
  whenEmpty: "No event rule stands on this server; its owner makes them in the dashboard.",
});
