import { selectProfile } from "../../../store/profile/profiles.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { readingOf } from "../../../contract/files/profile-readings.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { ProfileDocument } from "../../../core/profile/document.ts";
import { exampleProfileUpload } from "../../../core/profile/example-document.ts";
import { FlameGraph, flameGraphOf } from "../../../core/profile/flame-graph.ts";
import { ProfileSummary } from "../../../core/profile/profile.ts";
import { toProfileSummary } from "../../../core/profile/show.ts";
import { summarise } from "../../../core/profile/summary.ts";

const document = ProfileDocument.parse(exampleProfileUpload);
const example = {
  id: "019a9f5e-1d00-7000-8000-000000000050",
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  profile_id: "019a9f5e-1d00-7000-8000-000000000051",
  captured_at: "2026-11-20T07:12:03.000Z",
  uploaded_at: "2026-11-20T07:12:05.000Z",
  summary: summarise(document),
};

export const getFlameGraph = defineEndpoint({
  id: "profiles.get_flame_graph",
  method: "GET",
  path: "/servers/{id}/profiles/{profileId}/flame-graph",
  params: { id: "server_id", profileId: "profile_id" },
  access: { face: "web", who: "person" },
  summary:
    "A profile by its own id or its summary's, with its calls as a flame graph: frames by depth and share.",
  input: z.strictObject({ server_id: resourceIdInput(), profile_id: resourceIdInput() }),
  /** `graph` is null once only the summary is left, and when the stored document cannot be read. */
  output: z.object({ profile: ProfileSummary, graph: FlameGraph.nullable() }),
  errors: ["not_found"],
  example: {
    input: { server_id: example.server_id, profile_id: example.profile_id },
    output: { profile: example, graph: flameGraphOf(document) },
  },

  async handle({ server_id, profile_id }, context) {
    const { db, caller, found } = context;
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const record = found(await db.read(selectProfile, server.id, profile_id));
    const { profileId } = record;
    const graph = profileId === null ? null : await readingOf("flameGraph", profileId, context);
    return { profile: toProfileSummary(record), graph };
  },
});
