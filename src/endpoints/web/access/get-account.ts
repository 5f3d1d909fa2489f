import { selectAccountEntry } from "../../../store/access/directory.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { AccountListRow, exampleAccount, toAccountRow } from "./account-row.ts";

export const getAccount = defineEndpoint({
  id: "accounts.get",
  method: "GET",
  path: "/admin/accounts/{account_id}",
  params: { account_id: "account_id" },
  access: { face: "web", who: "admin" },
  summary: "One account, with how much it holds.",
  input: z.strictObject({ account_id: resourceIdInput() }),
  output: z.object({ account: AccountListRow, servers: z.int(), active_tokens: z.int() }),
  errors: ["not_found"],
  example: {
    input: { account_id: exampleAccount.id },
    output: { account: exampleAccount, servers: 2, active_tokens: 1 },
  },

  async handle({ account_id }, { db, now, found }) {
    const { account, servers, activeTokens } = found(await db.read(selectAccountEntry, account_id, now));
    return { account: toAccountRow(account), servers, active_tokens: activeTokens };
  },
});
