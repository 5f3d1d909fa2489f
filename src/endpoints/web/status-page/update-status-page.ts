import { z } from "zod";
import { requireVerifiedEmail } from "../../../contract/access/publishing.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleStatusPage } from "../../../core/status-page/example-status-page.ts";
import { StatusPage, statusPageFields, toStatusPage } from "../../../core/status-page/status-page.ts";
import { changeStatusPage } from "../../../services/status-page/change-status-page.ts";
import { selectStatusPage } from "../../../store/status-page/status-pages.ts";
import { choiceOf } from "./status-page-words.ts";

export const updateStatusPage = defineEndpoint({
  id: "status_pages.update",
  method: "PUT",
  path: "/status-pages/{id}",
  params: { id: "status_page_id" },
  access: { face: "web", who: "person" },
  summary:
    "Choose what a status page shows: its title, its servers with their names, and whether players are shown.",
  input: z.strictObject({ status_page_id: resourceIdInput(), ...statusPageFields }),
  output: StatusPage,
  errors: ["not_found", "email_not_verified", "text_rejected"],
  example: {
    input: {
      status_page_id: exampleStatusPage.id,
      title: "Blocks and more",
      shows_players: true,
      servers: exampleStatusPage.servers,
    },
    output: exampleStatusPage,
  },

  async handle({ status_page_id: id, ...sent }, { db, caller, now, isAcceptable, fail, found }) {
    requireVerifiedEmail(caller, fail);
    const choice = choiceOf(sent, isAcceptable, fail);
    await db.write(changeStatusPage, { id, accountId: caller.account.id, now }, choice);
    return toStatusPage(found(await db.read(selectStatusPage, id)));
  },
});
