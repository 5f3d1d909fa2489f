import { action } from "../../contract/endpoint/action.ts";
import { mailPerson } from "../../contract/call/mail-person.ts";
import { replacePassword } from "../../services/access/replace-password.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { confirmPassword } from "../../contract/call/confirm-password.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { passwordChangedMail } from "../../core/access/account-mail.ts";
import { newPasswordField, typedPassword } from "../../core/access/sign-in.ts";

/** Signs every other browser out. */
export const changePassword = action({
  id: "accounts.change_password",
  who: "person",
  input: {
    password: typedPassword(),
    second_factor: typedFactor().default(""),
    new_password: newPasswordField(),
  },
  errors: ["unauthorized", "rate_limited"],

  async run({ password, new_password, second_factor }, context) {
    const { db, caller, people } = context;
    const { account, session } = caller;
    await confirmPassword(password, second_factor, context);
    await db.write(replacePassword, account.id, await people.passwords.hash(new_password), session.id);
    noteSecurity(context, "password_changed");
    mailPerson(account, passwordChangedMail("/password/forgot"), context);
    return null;
  },
});
