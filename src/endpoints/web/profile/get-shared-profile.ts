import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { flameTreeOfProfile, readingOf } from "../../../contract/files/profile-readings.ts";
import { ProfileDocument } from "../../../core/profile/document.ts";
import { exampleProfileUpload } from "../../../core/profile/example-document.ts";
import { FlameGraph, flameGraphOf } from "../../../core/profile/flame-graph.ts";
import { FlameTree, flameTreeOf } from "../../../core/profile/flame-tree.ts";
import { isLinkSecret } from "../../../core/profile/profile-link.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { selectLinkedProfile } from "../../../store/profile/profile-links.ts";

const document = ProfileDocument.parse(exampleProfileUpload);

/** Nothing but calls: no server, no account, no identifier, no time. */
const SharedProfile = z.object({ graph: FlameGraph, tree: FlameTree });

export const getSharedProfile = defineEndpoint({
  id: "profile_links.get_shared",
  method: "GET",
  path: "/shared/profiles/{secret}",
  params: { secret: "secret" },
  access: { face: "web", who: "anyone" },
  summary: "What everybody who has a link to a profile may read: its calls.",
  input: z.strictObject({ secret: plainText(200) }),
  output: SharedProfile,
  errors: ["not_found", "invalid_state"],
  example: {
    input: { secret: "Jk2…" },
    output: { graph: flameGraphOf(document), tree: flameTreeOf(document) },
  },

  async handle({ secret }, { db, now, secrets, found, fail, readDocumentsOf }) {
    const linked = isLinkSecret(secret)
      ? await db.read(selectLinkedProfile, secrets.digest(secret), now)
      : null;
    const { profileId, accountId } = found(linked);
    const reading = { db, readDocuments: readDocumentsOf(accountId) };
    const graph = await readingOf("flameGraph", profileId, reading);
    const tree = await flameTreeOfProfile(profileId, reading);
    if (graph === null || tree === null)
      return fail(
        "invalid_state",
        "The link is good, but the stored document of this profile cannot be read. Ask its owner to upload the profile again.",
      );
    return { graph, tree };
  },
});
