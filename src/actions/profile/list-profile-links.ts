import { action } from "../../contract/endpoint/action.ts";
import { ownEyes } from "../../contract/call/caller.ts";
import { completeList } from "../../contract/endpoint/page.ts";
import { resourceIdInput } from "../../core/id.ts";
import { toProfileLink } from "../../core/profile/profile-link.ts";
import { selectProfileLinks } from "../../store/profile/profile-links.ts";
import { selectProfile } from "../../store/profile/profiles.ts";
import { selectServer } from "../../store/server/servers.ts";

/** The links to a profile that have not expired, without their secrets. */
export const listProfileLinks = action({
  id: "profile_links.list",
  who: "person",
  input: { server_id: resourceIdInput(), profile_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ server_id, profile_id }, { db, caller, now, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const { id } = found(await db.read(selectProfile, server.id, profile_id));
    const links = await db.read(selectProfileLinks, caller.account.id, id, now);
    return completeList(links.map(toProfileLink));
  },
});
