import { selectProfile } from "../../../store/profile/profiles.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { detailOfOwner, readingOf } from "../../../contract/files/profile-readings.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { ProfileDetail } from "../../../core/profile/profile-detail.ts";
import { toProfileDetail } from "../../../core/profile/show.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { exampleProfileDetail } from "./example-profile.ts";

export const getProfile = defineEndpoint({
  id: "profiles.get",
  method: "GET",
  path: "/servers/{id}/profiles/{profileId}",
  params: { id: "server_id", profileId: "profile_id" },
  access: { face: "api", scope: "monitoring:read" },
  summary:
    "A full profile: owners, methods and the heaviest stacks; owner narrows the last two to one plugin.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    profile_id: resourceIdInput(),
    owner: plainText(200, 1).optional(),
  }),
  output: ProfileDetail,
  errors: ["not_found"],
  example: {
    input: { server_id: exampleProfileDetail.server_id, profile_id: exampleProfileDetail.id },
    output: exampleProfileDetail,
  },

  async handle({ server_id, profile_id, owner }, context) {
    const { db, caller, baseUrl, found } = context;
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)), { field: "server_id" });
    const which = { field: "profile_id" };
    const record = found(await db.read(selectProfile, server.id, profile_id), which);
    // The summary's id serves comparisons only.
    const profileId = found(record.profileId === profile_id ? record.profileId : null, which);
    const detail =
      owner === undefined
        ? await readingOf("detail", profileId, context)
        : await detailOfOwner(profileId, owner, context);
    return toProfileDetail(record, detail, baseUrl);
  },
});
