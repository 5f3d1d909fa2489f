import { compareMemoryReports } from "../src/endpoints/api/memory-reports/compare-memory-reports.ts";
import { tool } from "../src/mcp/tool.ts";

export default tool(compareMemoryReports, {
  name: "compare_memory_reports",
  title: "Compare memory reports",
  description:
    "Two heap reports of a server: growth by plugin and class, leak suspects that appeared or grew.",
  toolset: "profiling",
  lists: ["list_memory_reports"],
});
