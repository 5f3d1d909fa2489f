import { listProfileSummaries } from "../src/endpoints/api/profile/list-profile-summaries.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor, days } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(listProfileSummaries, {
  name: "list_profile_summaries",
  title: "List profile summaries",
  description:
    "Which plugin takes the ticks of one server? Its CPU profiles in more detail than list_account_profiles, newest first: shares of tick samples by plugin, method and kind of work, not durations; total_pct (on the stack) before self_pct (its own); trigger lag: taken while it lagged.",
  arguments: { ...cursor, ...days },
  toolset: "profiling",
  urls: ["/servers/{server_id}/profiles"],
  rows: 2,
  lists: { server_id: servers },
  keptDays: 365,
  whenEmpty: "No profile of this server is kept; its plugin captures one when it lags or is asked.",
});
