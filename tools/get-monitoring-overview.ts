import { getMonitoringOverview } from "../src/endpoints/api/monitoring/get-monitoring-overview.ts";
import { tool } from "../src/mcp/tool.ts";

export default tool(getMonitoringOverview, {
  name: "get_monitoring_overview",
  title: "Monitoring overview",
  description:
    "All monitored servers at once, worst first: names, ids, state, uptime, last measurement, maintenance, open alerts, totals. One call instead of get_server_status for each; top: how many servers (10) and regions of each (1).",
  arguments: { top: "How many servers", include_unmonitored: "Also servers without monitoring" },
  toolset: "fleet",
  heads: { data: 10, regions: 1 },
  needs: "monitoring",
  whenEmpty:
    "No server of this account has monitoring on, or none is linked; include_unmonitored=true lists those that have it off, with the reason in site_step.",
  whenWidened: {
    include_unmonitored:
      "No server is linked to this account; link_server links one by the code its plugin prints.",
  },
});
