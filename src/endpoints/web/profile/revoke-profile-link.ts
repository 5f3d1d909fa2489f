import { z } from "zod";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { deleteProfileLink } from "../../../store/profile/profile-links.ts";
import { exampleProfileLink } from "./example-profile-link.ts";

export const revokeProfileLink = defineEndpoint({
  id: "profile_links.revoke",
  method: "DELETE",
  path: "/profile-links/{id}",
  params: { id: "link_id" },
  access: { face: "web", who: "person" },
  summary: "Revoke a link to a profile: it leads nowhere from the next request on.",
  input: z.strictObject({ link_id: resourceIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: { input: { link_id: exampleProfileLink.link.id }, output: null },

  async handle({ link_id }, context) {
    const { db, caller, found } = context;
    found((await db.write(deleteProfileLink, caller.account.id, link_id)) || null);
    noteSecurity(context, "profile_link_revoked", {});
    return nothing();
  },
});
