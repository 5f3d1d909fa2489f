import { action } from "../../contract/endpoint/action.ts";
import { flameTreeOfProfile } from "../../contract/files/profile-readings.ts";
import { resourceIdInput } from "../../core/id.ts";
import { ownProfile } from "./own-profile.ts";

/** By the profile's id or its summary's; columns for the script that draws them. */
export const getFlameTree = action({
  id: "profiles.get_flame_tree",
  who: "person",
  input: { server_id: resourceIdInput(), profile_id: resourceIdInput() },
  errors: ["not_found"],

  async run(input, context) {
    const { profileId } = await ownProfile(input, context);
    // Null if only the summary is left, or the stored document cannot be read.
    return { tree: profileId === null ? null : await flameTreeOfProfile(profileId, context) };
  },
});
