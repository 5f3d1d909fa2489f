import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Id } from "../../../core/id.ts";
import { isLinkSecret } from "../../../core/profile/profile-link.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { selectLinkedProfile } from "../../../store/profile/profile-links.ts";
import { exampleProfileLink } from "./example-profile-link.ts";

/** One indexed read: it is made for every request for a shared profile, so that a revoked link is gone at once. */
export const findSharedProfile = defineEndpoint({
  id: "profile_links.find",
  method: "GET",
  path: "/shared/profiles/{secret}/version",
  params: { secret: "secret" },
  access: { face: "web", who: "anyone" },
  summary: "Whether a link to a profile is good.",
  input: z.strictObject({ secret: plainText(200) }),
  output: z.object({ id: Id }),
  errors: ["not_found"],
  example: { input: { secret: "Jk2…" }, output: { id: exampleProfileLink.link.id } },

  async handle({ secret }, { db, now, secrets, found }) {
    const linked = isLinkSecret(secret)
      ? await db.read(selectLinkedProfile, secrets.digest(secret), now)
      : null;
    return { id: found(linked).linkId };
  },
});
