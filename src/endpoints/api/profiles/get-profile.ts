import { z } from "zod";
import { ownEyes } from "../../../contract/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { detailOf } from "../../../core/profile/detail.ts";
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
  large: true,
  errors: ["not_found"],
  example: {
    input: { server_id: exampleProfileDetail.server_id, profile_id: exampleProfileDetail.id },
    output: exampleProfileDetail,
  },

  async handle({ server_id, profile_id, owner }, { stores, caller, baseUrl, found }) {
    const server = found(await stores.servers.find(server_id, ownEyes(caller)), { field: "server_id" });
    const which = { field: "profile_id" };
    const record = found(await stores.profiles.find(server.id, profile_id), which);
    // By its summary's id a profile is compared, not read.
    const profileId = found(record.profileId === profile_id ? record.profileId : null, which);
    const document = await stores.profiles.document(profileId);
    return toProfileDetail(record, document && detailOf(document, owner ?? null), baseUrl);
  },
});
