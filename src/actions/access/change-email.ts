import { action } from "../../contract/endpoint/action.ts";
import { mailPerson } from "../../contract/call/mail-person.ts";
import { changeAccountEmail } from "../../services/access/change-account-email.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { confirmPassword } from "../../contract/call/confirm-password.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { emailChangedMail } from "../../core/access/account-mail.ts";
import { newEmail, typedPassword } from "../../core/access/sign-in.ts";
import { sendVerification } from "./send-verification.ts";

/** The new address is unverified until it is confirmed. */
export const changeEmail = action({
  id: "accounts.change_email",
  who: "person",
  input: { email: newEmail(), password: typedPassword(), second_factor: typedFactor().default("") },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ email, password, second_factor }, context) {
    const { db, caller, people, fail } = context;
    const { account } = caller;
    await confirmPassword(password, second_factor, context);
    if (email === account.email)
      return fail("invalid_state", "The account has this address already. Enter another one.");
    if (!(await changeAccountEmail(db, account.id, email)))
      return fail("invalid_state", "Another account has this address. Enter another one.");
    noteSecurity(context, "email_changed");
    mailPerson(account, emailChangedMail(), context);
    people.afterwards(async () => void (await sendVerification({ id: account.id, email }, context)));
    return { email, mailed: people.mail !== null };
  },
});
