import { listAccountProfiles } from "../src/endpoints/api/profile/list-account-profiles.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { cursor, days, plugin } from "./argument-words.ts";
import { servers } from "./id-lists.ts";

export default tool(listAccountProfiles, {
  name: "list_account_profiles",
  title: "List profiles of all servers",
  description:
    "CPU profiles of all own servers, or of one by server_id, newest first, each with the plugin of the largest own share (top_plugin) and those on more stacks than it (owners_by_total); trigger=lag: taken while it lagged; owner finds one plugin.",
  arguments: { ...cursor, ...days, owner: plugin, trigger: "Exact, like lag" },
  toolset: "profiling",
  lists: { server_id: servers },
  keptDays: 365,
  whenEmpty:
    "No profile of any own server is kept; plugins capture one when a server lags or one is asked for.",
  examples: {
    owner:
      "owner finds profiles whose summary lists the plugin, named as top_plugin of a row names it; one too light to be listed is not found.",
  },
});
