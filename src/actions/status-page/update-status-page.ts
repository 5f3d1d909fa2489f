import { action } from "../../contract/endpoint/action.ts";
import { requireVerifiedEmail } from "../../contract/call/publishing.ts";
import { resourceIdInput } from "../../core/id.ts";
import { statusPageFields, toStatusPage } from "../../core/status-page/status-page.ts";
import { changeStatusPage } from "../../services/status-page/change-status-page.ts";
import { selectStatusPage } from "../../store/status-page/status-pages.ts";
import { choiceOf } from "./status-page-words.ts";

export const updateStatusPage = action({
  id: "status_pages.update",
  who: "person",
  input: { status_page_id: resourceIdInput(), ...statusPageFields },
  errors: ["not_found", "email_not_verified", "text_rejected"],

  async run({ status_page_id: id, ...sent }, { db, caller, now, isAcceptable, fail, found }) {
    requireVerifiedEmail(caller, fail);
    const choice = choiceOf(sent, isAcceptable, fail);
    await db.write(changeStatusPage, { id, accountId: caller.account.id, now }, choice);
    return toStatusPage(found(await db.read(selectStatusPage, id)));
  },
});
