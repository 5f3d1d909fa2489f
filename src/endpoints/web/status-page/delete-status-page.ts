import { z } from "zod";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { removeStatusPage } from "../../../services/status-page/change-status-page.ts";

export const deleteStatusPage = defineEndpoint({
  id: "status_pages.delete",
  method: "DELETE",
  path: "/status-pages/{id}",
  params: { id: "status_page_id" },
  access: { face: "web", who: "person" },
  summary: "Delete a status page; its address leads nowhere at once.",
  input: z.strictObject({ status_page_id: resourceIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: { input: { status_page_id: "019a9f5e-1d00-7000-8000-000000000060" }, output: null },

  async handle({ status_page_id: id }, { db, caller, now }) {
    await db.write(removeStatusPage, { id, accountId: caller.account.id, now });
    return nothing();
  },
});
