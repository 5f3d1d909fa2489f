import { getReport } from "../src/endpoints/api/report/get-report.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { ownReports } from "./suggestions.ts";
import { reports } from "../tools/id-lists.ts";

export default resource(getReport, {
  uri: "tickmark://reports/{report_id}",
  urls: ["/reports/{report_id}"],
  name: "report",
  title: "Benchmark report",
  description: "One benchmark report in full, by id or short_id.",
  ttlSeconds: 60,
  suggests: { report_id: ownReports },
  lists: { report_id: reports },
});
