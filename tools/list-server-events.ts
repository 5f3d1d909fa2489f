import { listServerEvents } from "../src/endpoints/api/event/list-server-events.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(listServerEvents, {
  name: "list_server_events",
  title: "Server timeline",
  description: "As list_account_events, of one own server: starts, stops, bans, benchmarks, what tokens did.",
  arguments: { ...cursor, type: "Exact, like server_crash", source: "Exact, as shown" },
  toolset: "fleet",
  urls: ["/servers/{server_id}/timeline{?category}"],
  lists: { server_id: servers },
  examples: {
    type: "Common types: server_start, server_stop, server_crash, restart, ban, tempban, kick, lag_spike, benchmark_complete.",
  },
  whenEmpty: "This server's timeline holds nothing within the plan's viewing window.",
});
