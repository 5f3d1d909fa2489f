import { action } from "../../contract/endpoint/action.ts";
import { toStatusPage } from "../../core/status-page/status-page.ts";
import { selectStatusPages } from "../../store/status-page/status-pages.ts";

export const listStatusPages = action({
  id: "status_pages.list",
  who: "person",
  errors: [],

  async run(_, { db, caller }) {
    return { data: (await db.read(selectStatusPages, caller.account.id)).map(toStatusPage) };
  },
});
