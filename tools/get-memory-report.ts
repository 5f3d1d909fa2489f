import { getMemoryReport } from "../src/endpoints/api/memory-reports/get-memory-report.ts";
import { tool } from "../src/mcp/tool.ts";

export default tool(getMemoryReport, {
  name: "get_memory_report",
  title: "Get a memory report",
  description: "One heap report in full: memory by plugin and class, leak suspects and what holds them.",
  toolset: "profiling",
  lists: ["list_memory_reports", "list_account_memory_reports"],
});
