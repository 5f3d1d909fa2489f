import { searchAccounts } from "../../../store/access/directory.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { timePosition } from "../../../core/position.ts";
import { plainText } from "../../../core/text/third-party-text.ts";
import { AccountListRow, exampleAccount, toAccountRow } from "./account-row.ts";

export const listAccounts = defineEndpoint({
  id: "accounts.list",
  method: "GET",
  path: "/admin/accounts",
  params: {},
  access: { face: "web", who: "admin" },
  summary: "All accounts, newest first; `search` is a part of the e-mail address.",
  input: z.strictObject({ ...pageInput, search: plainText(254).default("") }),
  output: pageOf(AccountListRow),
  errors: [],
  example: {
    input: { search: "example.org" },
    output: { data: [exampleAccount], page: { cursor: null, has_more: false } },
  },

  async handle({ limit, search }, { db, after, page }) {
    const rows = await db.read(searchAccounts, search.trim(), timePosition(after), limit + 1);
    return page(rows, limit, ({ createdAt, id }) => [createdAt, id], toAccountRow);
  },
});
