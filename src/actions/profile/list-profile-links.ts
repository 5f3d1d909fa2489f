import { action } from "../../contract/endpoint/action.ts";
import { completeList } from "../../contract/endpoint/page.ts";
import { resourceIdInput } from "../../core/id.ts";
import { toProfileLink } from "../../core/profile/profile-link.ts";
import { selectProfileLinks } from "../../store/profile/profile-links.ts";
import { ownProfile } from "./own-profile.ts";

/** Without secrets and expired links. */
export const listProfileLinks = action({
  id: "profile_links.list",
  who: "person",
  input: { server_id: resourceIdInput(), profile_id: resourceIdInput() },
  errors: ["not_found"],

  async run(input, context) {
    const { db, caller, now } = context;
    const { id } = await ownProfile(input, context);
    const links = await db.read(selectProfileLinks, caller.account.id, id, now);
    return completeList(links.map(toProfileLink));
  },
});
