import { action } from "../../contract/endpoint/action.ts";
import { confirmPassword } from "../../contract/call/confirm-password.ts";
import { requestNewPasskey } from "../../app/access/passkeys.ts";
import { mostPasskeys } from "../../core/access/passkey.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { typedPassword } from "../../core/access/sign-in.ts";
import { callerName } from "../../core/text/third-party-text.ts";
import { selectPasskeys } from "../../store/access/passkeys.ts";

export const tooManyPasskeys = `An account has at most ${mostPasskeys} passkeys. Remove one that you no longer use.`;

/** Nothing is stored until the browser answers. */
export const preparePasskey = action({
  id: "passkeys.prepare",
  who: "person",
  input: {
    name: callerName(80),
    password: typedPassword(),
    second_factor: typedFactor().default(""),
  },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ password, second_factor }, context) {
    const { db, caller, people, fail } = context;
    const { account, session } = caller;
    const party = people.passkeyParty();
    if (party === null)
      return fail("invalid_state", "Browsers offer no passkeys at the address of this service.");
    const passkeys = await db.read(selectPasskeys, account.id);
    if (passkeys.length >= mostPasskeys) return fail("invalid_state", tooManyPasskeys);
    await confirmPassword(password, second_factor, context);
    const use = { purpose: "new_passkey" as const, holder: session.id };
    return { origin: party.origin, ...requestNewPasskey(use, party, account, passkeys, context) };
  },
});
