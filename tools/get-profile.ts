import { getProfile } from "../src/endpoints/api/profiles/get-profile.ts";
import { tool } from "../src/mcp/tool.ts";

export default tool(getProfile, {
  name: "get_profile",
  title: "Get a profile",
  description:
    "One full profile by profile_id: owners, methods, heaviest stacks; owner narrows the last two to one plugin.",
  toolset: "profiling",
  lists: ["list_profile_summaries", "list_account_profiles"],
});
