import { action } from "../../contract/endpoint/action.ts";
import { isLinkSecret } from "../../core/profile/profile-link.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { selectLinkedProfile } from "../../store/profile/profile-links.ts";

/** One indexed read, run for every request for a shared profile, so that a revoked link ends at once. */
export const findSharedProfile = action({
  id: "profile_links.find",
  who: "anyone",
  input: { secret: plainText(200) },
  errors: ["not_found"],

  async run({ secret }, { db, now, secrets, found }) {
    const linked = isLinkSecret(secret)
      ? await db.read(selectLinkedProfile, secrets.digest(secret), now)
      : null;
    return { id: found(linked).linkId };
  },
});
