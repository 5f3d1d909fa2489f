import { action } from "../../contract/endpoint/action.ts";
import { mailPerson } from "../../contract/call/mail-person.ts";
import { confirmPassword } from "../../contract/call/confirm-password.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { passkeyMail } from "../../core/access/account-mail.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { typedPassword } from "../../core/access/sign-in.ts";
import { resourceIdInput } from "../../core/id.ts";
import { removePasskey } from "../../services/access/change-passkeys.ts";

/** Signs every other browser out. */
export const deletePasskey = action({
  id: "passkeys.delete",
  who: "person",
  input: {
    passkey_id: resourceIdInput(),
    password: typedPassword(),
    second_factor: typedFactor().default(""),
  },
  errors: ["unauthorized", "rate_limited", "not_found"],

  async run({ passkey_id, password, second_factor }, context) {
    const { db, caller, found } = context;
    const { account, session } = caller;
    await confirmPassword(password, second_factor, context);
    found((await db.write(removePasskey, account.id, passkey_id, session.id)) || null);
    noteSecurity(context, "passkey_removed");
    mailPerson(account, passkeyMail("removed"), context);
    return null;
  },
});
