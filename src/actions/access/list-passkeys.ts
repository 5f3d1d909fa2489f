import { action } from "../../contract/endpoint/action.ts";
import { selectPasskeys } from "../../store/access/passkeys.ts";
import { toPasskeyRow } from "./passkey-row.ts";

export const listPasskeys = action({
  id: "passkeys.list",
  who: "person",
  errors: [],

  async run(_, { db, caller, people }) {
    const passkeys = await db.read(selectPasskeys, caller.account.id);
    return { data: passkeys.map(toPasskeyRow), origin: people.passkeyParty()?.origin ?? null };
  },
});
