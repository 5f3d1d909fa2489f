import { listAccountProfiles } from "../src/endpoints/api/profiles/list-account-profiles.ts";
import { tool } from "../src/mcp/tool.ts";

export default tool(listAccountProfiles, {
  name: "list_account_profiles",
  title: "List profiles of all servers",
  description:
    "Profiles of every own server, newest first, each with its top plugin; owner finds one plugin.",
  toolset: "profiling",
  whenEmpty: "No profile matches; with owner only those are found whose summary lists that exact name.",
});
