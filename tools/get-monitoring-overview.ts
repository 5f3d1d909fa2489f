import { getMonitoringOverview } from "../src/endpoints/api/monitoring/get-monitoring-overview.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";

export default tool(getMonitoringOverview, {
  name: "get_monitoring_overview",
  title: "Monitoring overview",
  description:
    "What runs now on all monitored servers, worst first (what is wrong with them: diagnose_fleet): id, name, state (since when unless running), TPS, MSPT and players unless older than 2 minutes, maintenance, group, open alerts, health; totals. What has no value is left out; get_server_status has the rest of one. top: how many servers (25) and alerts of each (2).",
  arguments: {
    top: "How many servers",
    include_unmonitored: "Also servers without monitoring",
    watched: "false: those without an enabled rule",
  },
  toolset: "fleet",
  alsoIn: ["essentials"],
  urls: ["/servers"],
  previews: { data: 25, open_alerts: 2 },
  brief: {
    members: {
      server_id: true,
      name: true,
      state: true,
      state_since: true,
      monitoring: { site_step: true },
      group_id: true,
      maintenance_ends_at: true,
      current: { tps: true, mspt: true, player_count: true },
      open_alerts: { rule_name: true, metric: true },
      enabled_rules: true,
      health: { verdict: true, reasons: true },
    },
    leavesOut: [
      // Its boot: more than a list of servers needs.
      { member: "state_since", when: { member: "state", is: "running" } },
      { member: "monitoring", when: { member: "state", isNot: "not_monitored" } },
      { member: "enabled_rules", when: { member: "enabled_rules", isNot: 0 } },
      { member: "current", when: { member: "sampled_at", olderThanSeconds: 120 } },
    ],
  },
  needs: "monitoring",
  whenEmpty:
    "No server of this account has monitoring on, or none is linked; include_unmonitored=true lists those that have it off, with the reason in site_step.",
  whenWidened: {
    include_unmonitored:
      "No server is linked to this account; link_server links one by the code its plugin prints.",
  },
});
