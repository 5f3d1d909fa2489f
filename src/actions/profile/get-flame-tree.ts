import { action } from "../../contract/endpoint/action.ts";
import { ownEyes } from "../../contract/call/caller.ts";
import { flameTreeOfProfile } from "../../contract/files/profile-readings.ts";
import { resourceIdInput } from "../../core/id.ts";
import { selectProfile } from "../../store/profile/profiles.ts";
import { selectServer } from "../../store/server/servers.ts";

/** All calls of a profile by its own id or its summary's, as columns for the script that draws them. */
export const getFlameTree = action({
  id: "profiles.get_flame_tree",
  who: "person",
  input: { server_id: resourceIdInput(), profile_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ server_id, profile_id }, context) {
    const { db, caller, found } = context;
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const { profileId } = found(await db.read(selectProfile, server.id, profile_id));
    // Null once only the summary is left, and where the stored document cannot be read.
    return { tree: profileId === null ? null : await flameTreeOfProfile(profileId, context) };
  },
});
