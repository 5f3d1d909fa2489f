import { listAccountAlertRules } from "../src/endpoints/api/alert/list-account-alert-rules.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";

export default tool(listAccountAlertRules, {
  name: "list_account_alert_rules",
  title: "Rules of all servers",
  description:
    "Rules of all own servers, on figures and on events. Servers that none watches: get_monitoring_overview watched=false.",
  arguments: { ...cursor, kind: "Rules on figures, or on events", enabled: "Whether it is on" },
  toolset: "alerts",
  brief: {
    members: {
      id: true,
      server_id: true,
      server_name: true,
      name: true,
      enabled: true,
      metric: true,
      condition: true,
      threshold: true,
      duration_minutes: true,
      event_types: true,
      min_severity: true,
      notify_email: true,
      notify_chat: true,
      notify_in_app: true,
      muted_until: true,
      state: true,
      last_triggered_at: true,
    },
  },
  urls: ["/servers"],
  needs: "monitoring",
  whenEmpty: "No rule stands on any server of this account; create_alert_rule makes one.",
});
