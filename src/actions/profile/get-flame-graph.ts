import { action } from "../../contract/endpoint/action.ts";
import { selectProfile } from "../../store/profile/profiles.ts";
import { selectServer } from "../../store/server/servers.ts";
import { ownEyes } from "../../contract/call/caller.ts";
import { readingOf } from "../../contract/files/profile-readings.ts";
import { resourceIdInput } from "../../core/id.ts";
import { toProfileSummary } from "../../core/profile/show.ts";

/** A profile by its own id or its summary's, with its calls as a flame graph: frames by depth and share. */
export const getFlameGraph = action({
  id: "profiles.get_flame_graph",
  who: "person",
  input: { server_id: resourceIdInput(), profile_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ server_id, profile_id }, context) {
    const { db, caller, found } = context;
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const record = found(await db.read(selectProfile, server.id, profile_id));
    const { profileId } = record;
    // Null once only the summary is left, and where the stored document cannot be read.
    const graph = profileId === null ? null : await readingOf("flameGraph", profileId, context);
    return { profile: toProfileSummary(record), graph };
  },
});
