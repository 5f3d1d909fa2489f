import { action } from "../../contract/endpoint/action.ts";
import { readingOf } from "../../contract/files/profile-readings.ts";
import { resourceIdInput } from "../../core/id.ts";
import { toProfileSummary } from "../../core/profile/show.ts";
import { ownProfile } from "./own-profile.ts";

/** By the profile's id or its summary's. */
export const getFlameGraph = action({
  id: "profiles.get_flame_graph",
  who: "person",
  input: { server_id: resourceIdInput(), profile_id: resourceIdInput() },
  errors: ["not_found"],

  async run(input, context) {
    const record = await ownProfile(input, context);
    const { profileId } = record;
    // Null if only the summary is left, or the stored document cannot be read.
    const graph = profileId === null ? null : await readingOf("flameGraph", profileId, context);
    return { profile: toProfileSummary(record), graph };
  },
});
