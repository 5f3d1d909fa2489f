import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { flameTreeOfProfile } from "../../../contract/files/profile-readings.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { ProfileDocument } from "../../../core/profile/document.ts";
import { exampleProfileUpload } from "../../../core/profile/example-document.ts";
import { FlameTree, flameTreeOf } from "../../../core/profile/flame-tree.ts";
import { selectProfile } from "../../../store/profile/profiles.ts";
import { selectServer } from "../../../store/server/servers.ts";

export const getFlameTree = defineEndpoint({
  id: "profiles.get_flame_tree",
  method: "GET",
  path: "/servers/{id}/profiles/{profileId}/flame-tree",
  params: { id: "server_id", profileId: "profile_id" },
  access: { face: "web", who: "person" },
  summary:
    "All calls of a profile by its own id or its summary's, as columns for the script that draws them.",
  input: z.strictObject({ server_id: resourceIdInput(), profile_id: resourceIdInput() }),
  /** `tree` is null once only the summary is left, and when the stored document cannot be read. */
  output: z.object({ tree: FlameTree.nullable() }),
  errors: ["not_found"],
  example: {
    input: {
      server_id: "019a9f5e-1d00-7000-8000-000000000010",
      profile_id: "019a9f5e-1d00-7000-8000-000000000051",
    },
    output: { tree: flameTreeOf(ProfileDocument.parse(exampleProfileUpload)) },
  },

  async handle({ server_id, profile_id }, context) {
    const { db, caller, found } = context;
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const { profileId } = found(await db.read(selectProfile, server.id, profile_id));
    return { tree: profileId === null ? null : await flameTreeOfProfile(profileId, context) };
  },
});
