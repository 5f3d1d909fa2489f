import { compareReports } from "../src/endpoints/api/report/compare-reports.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { reports } from "./id-lists.ts";

export default tool(compareReports, {
  name: "compare_reports",
  title: "Compare two reports",
  description:
    "Two reports (id or short_id) metric by metric: who leads, ties within 5 %, what cannot be compared (without totals: undecided; see the hardware row), and both reports in full, so get_report adds nothing.",
  arguments: { base: "Id or short_id", other: "Id or short_id" },
  toolset: "benchmarks",
  urls: ["/reports/compare?base={answer.reports.base.short_id}&other={answer.reports.other.short_id}"],
  lists: { base: reports, other: reports },
});
