import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import {
  expiryOf,
  LinkDays,
  mostProfileLinks,
  ProfileLink,
  toProfileLink,
} from "../../../core/profile/profile-link.ts";
import { addProfileLink } from "../../../services/profile/add-profile-link.ts";
import { selectProfile } from "../../../store/profile/profiles.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { exampleProfileLink } from "./example-profile-link.ts";

export const createProfileLink = defineEndpoint({
  id: "profile_links.create",
  method: "POST",
  path: "/servers/{id}/profiles/{profileId}/links",
  params: { id: "server_id", profileId: "profile_id" },
  access: { face: "web", who: "person" },
  summary:
    "Make a link by which everybody who has it sees the flame graph; only this answer shows its secret.",
  input: z.strictObject({ server_id: resourceIdInput(), profile_id: resourceIdInput(), days: LinkDays }),
  output: z.object({ link: ProfileLink, secret: z.string() }),
  success: [201],
  errors: ["not_found", "quota_exceeded"],
  example: {
    input: { server_id: exampleProfileLink.server_id, profile_id: exampleProfileLink.profile_id, days: 7 },
    output: { link: exampleProfileLink.link, secret: "Jk2…" },
  },

  async handle({ server_id, profile_id, days }, context) {
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
    return created({ link: toProfileLink(link), secret });
  },
});
