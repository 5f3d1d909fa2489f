import { getMemoryReport } from "../src/endpoints/api/memory-report/get-memory-report.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { ownMemoryReports, ownServers } from "./suggestions.ts";
import { servers, memoryReports } from "../tools/id-lists.ts";

export default resource(getMemoryReport, {
  uri: "tickmark://servers/{server_id}/memory-reports/{report_id}",
  urls: ["/servers/{server_id}/memory-reports/{report_id}"],
  name: "memory_report",
  title: "Memory report",
  description: "A report on a server's heap: memory by plugin, leak suspects and what holds them.",
  ttlSeconds: 3600,
  suggests: { server_id: ownServers, report_id: ownMemoryReports },
  lists: { server_id: servers, report_id: memoryReports },
});
