import { getProfile } from "../src/endpoints/api/profile/get-profile.ts";
import { resource } from "../src/mcp/catalogue/resource.ts";
import { ownProfiles, ownServers } from "./suggestions.ts";
import { servers, profileIds } from "../tools/id-lists.ts";

export default resource(getProfile, {
  uri: "tickmark://servers/{server_id}/profiles/{profile_id}",
  urls: ["/servers/{server_id}/profiles/{profile_id}"],
  name: "profile",
  title: "Profile",
  description: "A full CPU profile: owners, methods and the heaviest stacks, as shares of tick samples.",
  ttlSeconds: 3600,
  suggests: { server_id: ownServers, profile_id: ownProfiles },
  lists: { server_id: servers, profile_id: profileIds },
  whenMissing: {
    profile_id:
      "profile_id is that member of a summary, not its id; where it is null there is no profile to read.",
  },
});
