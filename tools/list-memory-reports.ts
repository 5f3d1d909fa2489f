import { listMemoryReports } from "../src/endpoints/api/memory-report/list-memory-reports.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(listMemoryReports, {
  name: "list_memory_reports",
  title: "List memory reports",
  description:
    "Heap reports of one server, newest first: bytes used and the plugin that holds most. Of all: list_account_memory_reports.",
  arguments: { ...cursor },
  toolset: "profiling",
  urls: ["/servers/{server_id}/memory-reports"],
  rows: 6,
  lists: { server_id: servers },
  whenEmpty: "No report on this server's heap is kept; its plugin or agent uploads one when asked.",
});
