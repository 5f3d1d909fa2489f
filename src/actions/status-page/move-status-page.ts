import { action } from "../../contract/endpoint/action.ts";
import { resourceIdInput } from "../../core/id.ts";
import { StatusAddress, toStatusPage } from "../../core/status-page/status-page.ts";
import { readdressStatusPage } from "../../services/status-page/change-status-page.ts";
import { selectStatusPage } from "../../store/status-page/status-pages.ts";
import { takenWords } from "./status-page-words.ts";

/** The former address stops working at once. */
export const moveStatusPage = action({
  id: "status_pages.move",
  who: "person",
  input: { status_page_id: resourceIdInput(), address: StatusAddress.optional() },
  errors: ["not_found", "invalid_state"],

  async run({ status_page_id: id, address }, { db, caller, now, secrets, fail, found }) {
    const act = { id, accountId: caller.account.id, now };
    if (!(await db.write(readdressStatusPage, act, address ?? secrets.newStatusAddress())))
      return fail("invalid_state", takenWords);
    return toStatusPage(found(await db.read(selectStatusPage, id)));
  },
});
