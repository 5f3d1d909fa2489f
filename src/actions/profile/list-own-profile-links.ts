import { action } from "../../contract/endpoint/action.ts";
import { completeList } from "../../contract/endpoint/page.ts";
import { toProfileLink } from "../../core/profile/profile-link.ts";
import { toTimestamp } from "../../core/time.ts";
import { selectOwnProfileLinks } from "../../store/profile/profile-links.ts";

/** Without secrets and expired links, newest first. */
export const listOwnProfileLinks = action({
  id: "profile_links.list_own",
  who: "person",
  errors: [],

  async run(_, { db, caller, now }) {
    const links = await db.read(selectOwnProfileLinks, caller.account.id, now);
    return completeList(
      links.map(({ record, profile }) =>
        Object.assign(toProfileLink(record), {
          // Null if the profile was deleted: the link no longer works.
          profile: profile && {
            id: profile.id,
            server_id: profile.serverId,
            server_name: profile.serverName,
            uploaded_at: toTimestamp(profile.uploadedAt),
          },
        }),
      ),
    );
  },
});
