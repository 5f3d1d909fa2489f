import { compareMemoryReports } from "../src/endpoints/api/memory-report/compare-memory-reports.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { top } from "./argument-words.ts";
import { servers, memoryReports } from "./id-lists.ts";

export default tool(compareMemoryReports, {
  name: "compare_memory_reports",
  title: "Compare memory reports",
  description:
    "Whether memory leaks: two heap reports of a server, growth by plugin and class, leak suspects that appeared or grew.",
  arguments: { ...top, base: "Earlier report id", target: "Later report id" },
  toolset: "profiling",
  urls: ["/servers/{server_id}/memory-reports/compare?base={base}&other={target}"],
  previews: {
    owners: 4,
    classes: 6,
    appeared: 3,
    grew: 3,
    shrank: 3,
    resolved: 3,
    persisting: 3,
    game_objects: 6,
  },
  lists: { server_id: servers, base: memoryReports, target: memoryReports },
});
