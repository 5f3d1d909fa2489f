import { action } from "../../contract/endpoint/action.ts";
import { flameTreeOfProfile } from "../../contract/files/profile-readings.ts";
import { resourceIdInput } from "../../core/id.ts";
import { ownProfile } from "./own-profile.ts";

/** All calls of a profile by its own id or its summary's, as columns for the script that draws them. */
export const getFlameTree = action({
  id: "profiles.get_flame_tree",
  who: "person",
  input: { server_id: resourceIdInput(), profile_id: resourceIdInput() },
  errors: ["not_found"],

  async run(input, context) {
    const { profileId } = await ownProfile(input, context);
    // Null once only the summary is left, and where the stored document cannot be read.
    return { tree: profileId === null ? null : await flameTreeOfProfile(profileId, context) };
  },
});
