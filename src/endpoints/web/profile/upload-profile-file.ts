import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { created, defineEndpoint, readAs } from "../../../contract/endpoint/endpoint.ts";
import { profileFiles, takeProfile } from "../../../contract/files/intake.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { ProfileDocument } from "../../../core/profile/document.ts";
import { exampleProfileUpload } from "../../../core/profile/example-document.ts";
import type { ReadProfile } from "../../../core/profile/records.ts";

export const uploadProfileFile = defineEndpoint({
  id: "profiles.upload_file",
  method: "POST",
  path: "/servers/{id}/profiles",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary:
    "Add a CPU profile to an own server from a file: a document of this service, or a file of the spark profiler.",
  input: z.strictObject({ server_id: resourceIdInput(), profile: readAs<ReadProfile>()(ProfileDocument) }),
  wholeBody: "profile",
  files: profileFiles,
  output: z.object({ summary_id: Id, profile_id: Id.nullable() }),
  success: [201, 200],
  errors: ["not_found"],
  idempotent: true,
  example: {
    input: { server_id: "019a9f5e-1d00-7000-8000-000000000010", profile: exampleProfileUpload },
    output: {
      summary_id: "019a9f5e-1d00-7000-8000-000000000050",
      profile_id: "019a9f5e-1d00-7000-8000-000000000051",
    },
  },

  async handle({ server_id, profile }, context) {
    const server = context.found(await context.db.read(selectServer, server_id, ownEyes(context.caller)));
    const { summaryId, profileId, created: isNew } = await takeProfile(profile, server.id, context);
    const answer = { summary_id: summaryId, profile_id: profileId };
    return isNew ? created(answer) : answer;
  },
});
