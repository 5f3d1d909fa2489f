import { compareProfiles } from "../src/endpoints/api/profile/compare-profiles.ts";
import { tool } from "../src/mcp/catalogue/tool.ts";
import { top } from "./argument-words.ts";
import { servers, profileIds } from "./id-lists.ts";

export default tool(compareProfiles, {
  name: "compare_profiles",
  title: "Compare profiles",
  description:
    "Two profiles of a server, by summary id or profile_id: which shares changed beyond noise. A change is not a cause.",
  arguments: { ...top, base: "Earlier", target: "Later" },
  toolset: "profiling",
  urls: ["/servers/{server_id}/profiles/compare?base={base}&other={target}"],
  previews: { owners: 5, methods: 3, categories: 5 },
  lists: { server_id: servers, base: profileIds, target: profileIds },
});
