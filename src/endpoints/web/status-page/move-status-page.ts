import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleStatusPage } from "../../../core/status-page/example-status-page.ts";
import { StatusAddress, StatusPage, toStatusPage } from "../../../core/status-page/status-page.ts";
import { readdressStatusPage } from "../../../services/status-page/change-status-page.ts";
import { selectStatusPage } from "../../../store/status-page/status-pages.ts";
import { takenWords } from "./status-page-words.ts";

export const moveStatusPage = defineEndpoint({
  id: "status_pages.move",
  method: "POST",
  path: "/status-pages/{id}/address",
  params: { id: "status_page_id" },
  access: { face: "web", who: "person" },
  summary: "Give a status page another address; the former one leads nowhere at once.",
  input: z.strictObject({ status_page_id: resourceIdInput(), address: StatusAddress.optional() }),
  output: StatusPage,
  errors: ["not_found", "invalid_state"],
  example: { input: { status_page_id: exampleStatusPage.id }, output: exampleStatusPage },

  async handle({ status_page_id: id, address }, { db, caller, now, secrets, fail, found }) {
    const act = { id, accountId: caller.account.id, now };
    if (!(await db.write(readdressStatusPage, act, address ?? secrets.newStatusAddress())))
      return fail("invalid_state", takenWords);
    return toStatusPage(found(await db.read(selectStatusPage, id)));
  },
});
