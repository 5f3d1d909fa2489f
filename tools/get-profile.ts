import { getProfile } from "../src/endpoints/api/profile/get-profile.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { plugin, top } from "./argument-words.ts";
import { servers, profileIds } from "./id-lists.ts";

export default tool(getProfile, {
  name: "get_profile",
  title: "Get a profile",
  description:
    "One profile by profile_id: owners, methods, heaviest stacks; owner narrows the last two to one plugin; top: entries of each list.",
  arguments: { ...top, owner: plugin, profile_id: "Of a profile summary" },
  toolset: "profiling",
  urls: ["/servers/{server_id}/profiles/{profile_id}"],
  previews: { owners: 6, top_methods: 2, methods: 8, paths: 2, frames: 12 },
  lists: { server_id: servers, profile_id: profileIds },
  whenMissing: {
    profile_id:
      "profile_id is that member of a summary, not its id; where it is null there is no profile to read.",
  },
});
