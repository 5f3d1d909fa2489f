import { listAccountMemoryReports } from "../src/endpoints/api/memory-report/list-account-memory-reports.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor, days } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(listAccountMemoryReports, {
  name: "list_account_memory_reports",
  title: "List memory reports of all servers",
  description:
    "Heap reports of all own servers, or of one by server_id, newest first: bytes used and the plugin that holds most.",
  arguments: { ...cursor, ...days, mode: "How the heap was counted" },
  toolset: "profiling",
  lists: { server_id: servers },
  rows: 5,
  keptByPlan: true,
  whenEmpty: "No memory report of any own server is kept; plugins and agents upload them when asked.",
});
