import { getProfile } from "../src/endpoints/api/profile/get-profile.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { plugin, top } from "./argument-words.ts";
import { servers, profileIds } from "./id-lists.ts";

export default tool(getProfile, {
  name: "get_profile",
  title: "Get a profile",
  description:
    "One profile by profile_id: owners (total_pct: on so many stacks, read it first; self_pct: of its own), owners_by_total that owners leaves out, methods, heaviest stacks, what was measured meanwhile. owner narrows methods and stacks to one plugin; top: entries of each list.",
  arguments: { ...top, owner: plugin, profile_id: "Of a profile summary" },
  toolset: "profiling",
  urls: ["/servers/{server_id}/profiles/{profile_id}"],
  previews: {
    owners_by_total: 3,
    windows: 3,
    // On so many stacks, percent, owners are named beside a list that leaves them out: so they are shown here too.
    owners: { entries: 6, through: "total_pct", least: 5 },
    top_methods: 2,
    methods: 8,
    paths: 2,
    frames: 12,
  },
  lists: { server_id: servers, profile_id: profileIds },
  whenMissing: {
    profile_id:
      "profile_id is that member of a summary, not its id; where it is null there is no profile to read.",
  },
});
