import { action } from "../../contract/endpoint/action.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { resourceIdInput } from "../../core/id.ts";
import { deleteProfileLink } from "../../store/profile/profile-links.ts";

export const revokeProfileLink = action({
  id: "profile_links.revoke",
  who: "person",
  input: { link_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ link_id }, context) {
    const { db, caller, found } = context;
    found((await db.write(deleteProfileLink, caller.account.id, link_id)) || null);
    noteSecurity(context, "profile_link_revoked", {});
    return null;
  },
});
