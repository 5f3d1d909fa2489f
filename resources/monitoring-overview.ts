import { getMonitoringOverview } from "../src/endpoints/api/monitoring/get-monitoring-overview.ts";
import { resource } from "../src/mcp/resource.ts";

export default resource(getMonitoringOverview, {
  uri: "tickmark://monitoring/overview",
  name: "monitoring_overview",
  title: "Monitoring overview",
  description: "All monitored servers at once, worst first, with open alerts and totals.",
  ttlSeconds: 10,
});
