import { listReports } from "../src/endpoints/api/report/list-reports.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor, ownOnly } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(listReports, {
  name: "list_reports",
  title: "List reports",
  description:
    "Benchmark reports newest first: scores (0 = not measured, not bad), hardware and server software, without sub-scores or descriptions (get_report). mine=true keeps the caller's own.",
  arguments: { ...cursor, ...ownOnly, server_type: "As reports show it, like paper" },
  toolset: "benchmarks",
  urls: ["/reports{?mine,visibility,benchmark_mode,server_id}"],
  lists: { server_id: servers },
  rows: 6,
  whenEmpty: "No report can be seen by this caller yet; a plugin uploads one after a benchmark run.",
});
