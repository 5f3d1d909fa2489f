import { mailPerson } from "../../../contract/access/mail-person.ts";
import { changeAccountEmail } from "../../../services/access/change-account-email.ts";
import { z } from "zod";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { confirmPassword } from "../../../contract/access/confirm-password.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { emailChangedMail } from "../../../core/access/account-mail.ts";
import { newEmail, typedPassword } from "../../../core/access/sign-in.ts";
import { sendVerification } from "./send-verification.ts";

export const changeEmail = defineEndpoint({
  id: "accounts.change_email",
  method: "POST",
  path: "/account/email",
  params: {},
  access: { face: "web", who: "person" },
  summary:
    "Change the e-mail address of the account with its password; the new address is unverified until it is confirmed.",
  input: z.object({ email: newEmail(), password: typedPassword(), second_factor: typedFactor().default("") }),
  output: z.object({ email: z.string(), mailed: z.boolean() }),
  errors: ["unauthorized", "rate_limited", "invalid_state"],
  example: {
    input: { email: "new@example.org", password: "correct horse battery" },
    output: { email: "new@example.org", mailed: true },
  },

  async handle({ email, password, second_factor }, context) {
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
