import { action } from "../../contract/endpoint/action.ts";
import { resourceIdInput } from "../../core/id.ts";
import { removeStatusPage } from "../../services/status-page/change-status-page.ts";

export const deleteStatusPage = action({
  id: "status_pages.delete",
  who: "person",
  input: { status_page_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ status_page_id: id }, { db, caller, now }) {
    await db.write(removeStatusPage, { id, accountId: caller.account.id, now });
    return null;
  },
});
