import { updateCollection } from "../../store/server/collections.ts";
import { z } from "zod";
import { created, defineEndpoint, readAs } from "../../contract/endpoint/endpoint.ts";
import { profileFiles, takeProfile } from "../../contract/files/intake.ts";
import { Id } from "../../core/id.ts";
import { ProfileDocument, ProfileFileTrigger } from "../../core/profile/document.ts";
import { exampleProfileUpload } from "../../core/profile/example-document.ts";
import type { ReadProfile } from "../../core/profile/records.ts";

export const uploadProfile = defineEndpoint({
  id: "profiles.upload",
  method: "POST",
  path: "/profiles",
  params: {},
  access: { face: "plugin", credential: "server" },
  summary:
    "Upload a CPU profile: a document of this service, or a file that the spark profiler saves or uploads, gzipped or not.",
  input: z.object({
    trigger: ProfileFileTrigger.optional().describe(
      "Why another program's file was recorded; a document of this service says it itself.",
    ),
    profile: readAs<ReadProfile>()(ProfileDocument),
  }),
  wholeBody: "profile",
  files: profileFiles,
  output: z.object({ summary_id: Id, profile_id: Id.nullable() }),
  success: [201, 200],
  errors: ["invalid_state"],
  idempotent: true,
  example: {
    input: { profile: exampleProfileUpload },
    output: {
      summary_id: "019a9f5e-1d00-7000-8000-000000000050",
      profile_id: "019a9f5e-1d00-7000-8000-000000000051",
    },
  },

  async handle({ profile }, context) {
    const { id, collecting } = context.caller.server;
    const { summaryId, profileId, created: isNew } = await takeProfile(profile, id, context);
    const answer = { summary_id: summaryId, profile_id: profileId };
    if (!isNew) return answer;
    if (collecting.profile !== null) await context.db.write(updateCollection, id, "profile", null);
    return created(answer);
  },
});
