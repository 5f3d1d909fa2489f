import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { completeList, pageOf } from "../../../contract/endpoint/page.ts";
import { Id } from "../../../core/id.ts";
import { ProfileLink, toProfileLink } from "../../../core/profile/profile-link.ts";
import { thirdPartyText } from "../../../core/text/third-party-text.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";
import { selectOwnProfileLinks } from "../../../store/profile/profile-links.ts";
import { exampleProfileLink } from "./example-profile-link.ts";

const { link, server_id, profile_id } = exampleProfileLink;

export const listOwnProfileLinks = defineEndpoint({
  id: "profile_links.list_own",
  method: "GET",
  path: "/profile-links",
  params: {},
  access: { face: "web", who: "person" },
  summary: "All links to profiles of the account that have not expired, without their secrets, newest first.",
  input: z.strictObject({}),
  output: pageOf(
    ProfileLink.extend({
      /** Null while the link leads nowhere: the profile is not kept any more. */
      profile: z
        .object({
          id: Id,
          server_id: Id,
          server_name: thirdPartyText(80).nullable(),
          uploaded_at: Timestamp,
        })
        .nullable(),
    }),
  ),
  errors: [],
  example: {
    input: {},
    output: {
      data: [
        {
          ...link,
          profile: {
            id: profile_id,
            server_id,
            server_name: "Lobby",
            uploaded_at: "2026-11-20T11:58:00.000Z",
          },
        },
      ],
      page: { cursor: null, has_more: false },
    },
  },

  async handle(_, { db, caller, now }) {
    const links = await db.read(selectOwnProfileLinks, caller.account.id, now);
    return completeList(
      links.map(({ record, profile }) =>
        Object.assign(toProfileLink(record), {
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
