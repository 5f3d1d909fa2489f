import { listAlertRules } from "../src/endpoints/api/alert/list-alert-rules.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(listAlertRules, {
  name: "list_alert_rules",
  title: "List alert rules",
  description:
    "Threshold and offline rules of an own server: where each stands (ok, pending, firing, no_data, paused), its last value, mute and channels. What they raised is list_alerts.",
  toolset: "alerts",
  urls: ["/servers/{server_id}/rules"],
  lists: { server_id: servers },
  needs: "monitoring",
  whenEmpty: "No alert rule stands on this server yet; create_alert_rule makes one.",
});
