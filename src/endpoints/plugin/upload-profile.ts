import { z } from "zod";
import { created, defineEndpoint } from "../../contract/endpoint.ts";
import { Id } from "../../core/id.ts";
import { profileOfSpark } from "../../core/import/spark-profile.ts";
import { ProfileDocument } from "../../core/profile/document.ts";
import { exampleProfileUpload } from "../../core/profile/example-document.ts";
import { summarise } from "../../core/profile/summary.ts";
import { takeFiles } from "./taken-file.ts";

export const uploadProfile = defineEndpoint({
  id: "profiles.upload",
  method: "POST",
  path: "/profiles",
  params: {},
  access: { face: "plugin", credential: "server" },
  summary:
    "Upload a CPU profile: a document of ours, or what the spark profiler saves or uploads, gzipped or not.",
  input: z.object({ profile: ProfileDocument }),
  wholeBody: "profile",
  files: takeFiles({ "application/x-spark-sampler": profileOfSpark }),
  output: z.object({ summary_id: Id, profile_id: Id.nullable() }),
  success: [201, 200],
  errors: [],
  idempotent: true,
  example: {
    input: { profile: exampleProfileUpload },
    output: {
      summary_id: "019a9f5e-1d00-7000-8000-000000000050",
      profile_id: "019a9f5e-1d00-7000-8000-000000000051",
    },
  },

  async handle({ profile: document }, { stores, caller, now, secrets, plans }) {
    const profile = {
      id: secrets.newId(now),
      profileId: secrets.newId(now),
      serverId: caller.server.id,
      uploadedAt: now,
      summary: summarise(document),
      document,
    };
    const { summaryId, profileId, created: isNew } = await stores.profiles.insert(profile, plans);
    const answer = { summary_id: summaryId, profile_id: profileId };
    return isNew ? created(answer) : answer;
  },
});
