import { getMemoryReport } from "../src/endpoints/api/memory-report/get-memory-report.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { top } from "./argument-words.ts";
import { servers, memoryReports } from "./id-lists.ts";

export default tool(getMemoryReport, {
  name: "get_memory_report",
  title: "Get a memory report",
  description:
    "One heap report: memory by plugin and class, leak suspects and what holds them; top: entries of each list.",
  arguments: { ...top },
  toolset: "profiling",
  urls: ["/servers/{server_id}/memory-reports/{report_id}"],
  previews: {
    owners: 6,
    top_classes: 3,
    classes: 8,
    suspects: 3,
    root_path: 8,
    dominator_chain: 4,
    accumulation_points: 4,
    game_objects: 6,
  },
  lists: { server_id: servers, report_id: memoryReports },
});
