import { getReport } from "../src/endpoints/api/report/get-report.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { reportId } from "./argument-words.ts";
import { reports } from "./id-lists.ts";

export default tool(getReport, {
  name: "get_report",
  title: "Get a report",
  description:
    "One benchmark report in full, by id or short_id: scores (0 = not measured, not bad), sub-scores, multipliers, description, standing among public reports, conditions (what else the machine did), usual (against this server's earlier runs). It names no winner; compare_reports does.",
  arguments: { ...reportId },
  toolset: "benchmarks",
  urls: ["/reports/{report_id}"],
  lists: { report_id: reports },
});
