import { action } from "../../contract/endpoint/action.ts";
import { flameTreeOfProfile, readingOf } from "../../contract/files/profile-readings.ts";
import { isLinkSecret } from "../../core/profile/profile-link.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { selectLinkedProfile } from "../../store/profile/profile-links.ts";

export const getSharedProfile = action({
  id: "profile_links.get_shared",
  who: "anyone",
  input: { secret: plainText(200) },
  errors: ["not_found", "invalid_state"],

  async run({ secret }, { db, now, secrets, found, fail, readDocumentsOf }) {
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
    // Only calls: no server, account, identifier or time.
    return { graph, tree };
  },
});
