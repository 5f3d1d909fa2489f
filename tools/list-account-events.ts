import { listAccountEvents } from "../src/endpoints/api/event/list-account-events.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(listAccountEvents, {
  name: "list_account_events",
  title: "Timeline of all servers",
  description:
    "What happened on all own servers, or on one by server_id, newest first: starts, stops, crashes, bans, changed software, what tokens did.",
  arguments: {
    ...cursor,
    type: "Exact, like server_crash",
    source: "Exact, as shown",
    changed: "Only changed software, settings and health",
  },
  toolset: "fleet",
  alsoIn: ["essentials"],
  lists: { server_id: servers },
  examples: {
    type: "Common types: server_start, server_stop, server_crash, restart, ban, plugin_updated, benchmark_complete.",
  },
  whenEmpty: "The timelines of the account's servers hold nothing within the plan's viewing window.",
});
