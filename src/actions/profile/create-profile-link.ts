import { action } from "../../contract/endpoint/action.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { resourceIdInput } from "../../core/id.ts";
import {
  expiryOf,
  LinkDays,
  mostProfileLinks,
  toProfileLink,
  type ProfileLinkRecord,
} from "../../core/profile/profile-link.ts";
import type { Work } from "../../store/engine/database.ts";
import { countProfileLinks, insertProfileLink } from "../../store/profile/profile-links.ts";
import { lockAccount } from "../../store/server/locks.ts";
import { ownProfile } from "./own-profile.ts";

/** Everybody with the link sees the flame graph. Only this answer shows its secret. */
export const createProfileLink = action({
  id: "profile_links.create",
  who: "person",
  input: { server_id: resourceIdInput(), profile_id: resourceIdInput(), days: LinkDays },
  errors: ["not_found", "quota_exceeded"],

  async run({ days, ...profile }, context) {
    const { db, caller, now, secrets, found, fail } = context;
    const { id: summaryId, profileId } = await ownProfile(profile, context);
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

/** Answers false if the account has as many links as it may. */
function* addProfileLink(link: ProfileLinkRecord, digest: string): Work<boolean> {
  yield* lockAccount(link.accountId);
  if ((yield* countProfileLinks(link.accountId, link.createdAt)) >= mostProfileLinks) return false;
  yield* insertProfileLink(link, digest);
  return true;
}
