import { action } from "../../contract/endpoint/action.ts";
import { selectAccountEntry } from "../../store/access/directory.ts";
import { resourceIdInput } from "../../core/id.ts";
import { toAccountRow } from "./account-row.ts";

export const getAccount = action({
  id: "accounts.get",
  who: "admin",
  input: { account_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ account_id }, { db, now, found }) {
    const { account, servers, activeTokens } = found(await db.read(selectAccountEntry, account_id, now));
    return { account: toAccountRow(account), servers, active_tokens: activeTokens };
  },
});
