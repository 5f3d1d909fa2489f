import { listAccountMemoryReports } from "../src/endpoints/api/memory-reports/list-account-memory-reports.ts";
import { tool } from "../src/mcp/tool.ts";

export default tool(listAccountMemoryReports, {
  name: "list_account_memory_reports",
  title: "List memory reports of all servers",
  description: "Heap reports of every own server, newest first.",
  toolset: "profiling",
  whenEmpty: "No memory report matches; plugins and agents upload them when asked.",
});
