import { getMonitoringOverview } from "../src/endpoints/api/monitoring/get-monitoring-overview.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";

export default resource(getMonitoringOverview, {
  uri: "tickmark://monitoring/overview",
  urls: ["/servers"],
  name: "monitoring_overview",
  title: "Monitoring overview",
  description: "All monitored servers at once, worst first, with open alerts and totals.",
  whenEmpty:
    "No server of this account has monitoring on, or none is linked; get_monitoring_overview with include_unmonitored=true lists those that have it off, with the reason in site_step.",
  needs: "monitoring",
  watchedFields: [
    "data.server_id",
    "data.state",
    "data.maintenance_ends_at",
    "data.open_alerts.id",
    "data.open_alerts.status",
  ],
  ttlSeconds: 10,
});
