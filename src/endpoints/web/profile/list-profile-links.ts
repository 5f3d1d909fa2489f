import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { completeList, pageOf } from "../../../contract/endpoint/page.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { ProfileLink, toProfileLink } from "../../../core/profile/profile-link.ts";
import { selectProfileLinks } from "../../../store/profile/profile-links.ts";
import { selectProfile } from "../../../store/profile/profiles.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { exampleProfileLink } from "./example-profile-link.ts";

export const listProfileLinks = defineEndpoint({
  id: "profile_links.list",
  method: "GET",
  path: "/servers/{id}/profiles/{profileId}/links",
  params: { id: "server_id", profileId: "profile_id" },
  access: { face: "web", who: "person" },
  summary: "The links to a profile that have not expired, without their secrets.",
  input: z.strictObject({ server_id: resourceIdInput(), profile_id: resourceIdInput() }),
  output: pageOf(ProfileLink),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleProfileLink.server_id, profile_id: exampleProfileLink.profile_id },
    output: { data: [exampleProfileLink.link], page: { cursor: null, has_more: false } },
  },

  async handle({ server_id, profile_id }, { db, caller, now, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const { id } = found(await db.read(selectProfile, server.id, profile_id));
    const links = await db.read(selectProfileLinks, caller.account.id, id, now);
    return completeList(links.map(toProfileLink));
  },
});
