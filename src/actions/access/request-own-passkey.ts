import { action } from "../../contract/endpoint/action.ts";
import { requestPasskey } from "../../app/access/passkeys.ts";
import { selectPasskeys } from "../../store/access/passkeys.ts";

/** A challenge for a passkey of the account, instead of a code. */
export const requestOwnPasskey = action({
  id: "passkeys.request",
  who: "person",
  errors: ["invalid_state"],

  async run(_, context) {
    const { db, caller, people, fail } = context;
    const passkeys = await db.read(selectPasskeys, caller.account.id);
    const party = people.passkeyParty();
    if (passkeys.length === 0) return fail("invalid_state", "The account has no passkey. Type a code.");
    if (party === null)
      return fail("invalid_state", "Browsers offer no passkeys at the address of this service. Type a code.");
    return requestPasskey({ purpose: "second_factor", holder: caller.session.id }, party, passkeys, context);
  },
});
