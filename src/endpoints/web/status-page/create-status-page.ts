import { z } from "zod";
import { requireVerifiedEmail } from "../../../contract/access/publishing.ts";
import { created, defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { exampleStatusPage } from "../../../core/status-page/example-status-page.ts";
import {
  mostStatusPages,
  StatusAddress,
  StatusPage,
  statusPageFields,
  toStatusPage,
} from "../../../core/status-page/status-page.ts";
import { addStatusPage } from "../../../services/status-page/add-status-page.ts";
import { choiceOf, takenWords } from "./status-page-words.ts";

export const createStatusPage = defineEndpoint({
  id: "status_pages.create",
  method: "POST",
  path: "/status-pages",
  params: {},
  access: { face: "web", who: "person", plan: "monitoring" },
  summary: "Publish a status page; without an address it gets one by chance.",
  input: z.strictObject({ address: StatusAddress.optional(), ...statusPageFields }),
  output: StatusPage,
  success: [201],
  errors: ["not_found", "quota_exceeded", "invalid_state", "email_not_verified", "text_rejected"],
  example: {
    input: { title: "Blocks and more", shows_players: true, servers: exampleStatusPage.servers },
    output: exampleStatusPage,
  },

  async handle({ address, ...sent }, { db, caller, now, secrets, isAcceptable, fail }) {
    requireVerifiedEmail(caller, fail);
    const page = {
      id: secrets.newId(now),
      accountId: caller.account.id,
      address: address ?? secrets.newStatusAddress(),
      ...choiceOf(sent, isAcceptable, fail),
      createdAt: now,
      updatedAt: now,
    };
    const added = await db.write(addStatusPage, page);
    if (added === "full")
      return fail(
        "quota_exceeded",
        `An account can have at most ${mostStatusPages} status pages. Change one, or delete one.`,
      );
    if (added === "taken") return fail("invalid_state", takenWords);
    return created(toStatusPage(page));
  },
});
