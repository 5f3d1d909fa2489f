import { z } from "zod";
import { ownEyes } from "../../../contract/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { Id, resourceIdInput } from "../../../core/id.ts";
import { ProfileDocument } from "../../../core/profile/document.ts";
import { exampleProfileUpload } from "../../../core/profile/example-document.ts";
import { FlameGraph, flameGraphOf } from "../../../core/profile/flame-graph.ts";

const exampleIds = {
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  profile_id: "019a9f5e-1d00-7000-8000-000000000051",
};

export const getFlameGraph = defineEndpoint({
  id: "profiles.get_flame_graph",
  method: "GET",
  path: "/servers/{id}/profiles/{profileId}/flame-graph",
  params: { id: "server_id", profileId: "profile_id" },
  access: { face: "web", who: "person" },
  summary: "The calls of a full profile as a picture: frames by depth and share, the smallest merged.",
  input: z.strictObject({ server_id: resourceIdInput(), profile_id: resourceIdInput() }),
  /** `graph` is null when the stored document cannot be read. */
  output: z.object({ server_id: Id, profile_id: Id, graph: FlameGraph.nullable() }),
  large: true,
  errors: ["not_found"],
  example: {
    input: exampleIds,
    output: { ...exampleIds, graph: flameGraphOf(ProfileDocument.parse(exampleProfileUpload)) },
  },

  async handle({ server_id, profile_id }, { stores, caller, found }) {
    const server = found(await stores.servers.find(server_id, ownEyes(caller)));
    const record = found(await stores.profiles.find(server.id, profile_id));
    // By its summary's id a profile is compared, not read.
    const profileId = found(record.profileId === profile_id ? record.profileId : null);
    const document = await stores.profiles.document(profileId);
    return { server_id: server.id, profile_id: profileId, graph: document && flameGraphOf(document) };
  },
});
