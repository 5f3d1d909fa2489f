import { action } from "../../contract/endpoint/action.ts";
import { ownEyes } from "../../contract/call/caller.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { resourceIdInput } from "../../core/id.ts";
import { expiryOf, LinkDays, mostProfileLinks, toProfileLink } from "../../core/profile/profile-link.ts";
import { addProfileLink } from "../../services/profile/add-profile-link.ts";
import { selectProfile } from "../../store/profile/profiles.ts";
import { selectServer } from "../../store/server/servers.ts";

/** Make a link by which everybody who has it sees the flame graph; only this answer shows its secret. */
export const createProfileLink = action({
  id: "profile_links.create",
  who: "person",
  input: { server_id: resourceIdInput(), profile_id: resourceIdInput(), days: LinkDays },
  errors: ["not_found", "quota_exceeded"],

  async run({ server_id, profile_id, days }, context) {
    const { db, caller, now, secrets, found, fail } = context;
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const { id: summaryId, profileId } = found(await db.read(selectProfile, server.id, profile_id));
    found(profileId);
    const secret = secrets.newNonce();
    const link = {
      id: secrets.newId(now),
      accountId: caller.account.id,
      summaryId,
      createdAt: now,
      expiresAt: expiryOf(now, days),
    };
    if (!(await db.write(addProfileLink, link, secrets.digest(secret))))
      return fail(
        "quota_exceeded",
        `An account can have at most ${mostProfileLinks} links to profiles at once. Revoke one.`,
      );
    noteSecurity(context, "profile_link_created", {});
    return { link: toProfileLink(link), secret };
  },
});
