import { action } from "../../contract/endpoint/action.ts";
import { searchAccounts } from "../../store/access/directory.ts";
import { pageInput } from "../../contract/endpoint/page.ts";
import { timePosition } from "../../core/position.ts";
import { plainText } from "../../core/text/third-party-text.ts";
import { toAccountRow } from "./account-row.ts";

/** Newest first; `search` is a part of the e-mail address. */
export const listAccounts = action({
  id: "accounts.list",
  who: "admin",
  input: { ...pageInput, search: plainText(254).default("") },
  errors: [],

  async run({ limit, search }, { db, after, page }) {
    const rows = await db.read(searchAccounts, search.trim(), timePosition(after), limit + 1);
    return page(rows, limit, ({ createdAt, id }) => [createdAt, id], toAccountRow);
  },
});
