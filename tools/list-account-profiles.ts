import { listAccountProfiles } from "../src/endpoints/api/profiles/list-account-profiles.ts";
import { tool } from "../src/mcp/tool.ts";
import { servers } from "./id-lists.ts";

export default tool(listAccountProfiles, {
  name: "list_account_profiles",
  title: "List profiles of all servers",
  description:
    "CPU profiles of all own servers, newest first, each with the plugin that takes most of the ticks; trigger=lag: taken while it lagged; owner finds one plugin. Needs no server_id.",
  toolset: "profiling",
  lists: { server_id: servers },
  whenEmpty: "No profile matches; with owner only those are found whose summary lists that exact name.",
});
