import { action } from "../../contract/endpoint/action.ts";
import { selectServer } from "../../store/server/servers.ts";
import { ownEyes } from "../../contract/call/caller.ts";
import { readAs } from "../../contract/endpoint/endpoint.ts";
import { profileFiles, takeProfile } from "../../contract/files/intake.ts";
import { resourceIdInput } from "../../core/id.ts";
import { ProfileDocument } from "../../core/profile/document.ts";
import type { ReadProfile } from "../../core/profile/records.ts";

/** The file is a document of this service, or a file of the spark profiler. */
export const uploadProfileFile = action({
  id: "profiles.upload_file",
  who: "person",
  input: { server_id: resourceIdInput(), profile: readAs<ReadProfile>()(ProfileDocument) },
  file: { field: "profile", intake: profileFiles },
  errors: ["not_found"],

  async run({ server_id, profile }, context) {
    const server = context.found(await context.db.read(selectServer, server_id, ownEyes(context.caller)));
    const { summaryId, profileId } = await takeProfile(profile, server.id, context);
    return { summary_id: summaryId, profile_id: profileId };
  },
});
