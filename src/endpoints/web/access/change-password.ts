import { mailPerson } from "../../../contract/access/mail-person.ts";
import { replacePassword } from "../../../services/access/replace-password.ts";
import { z } from "zod";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { confirmPassword } from "../../../contract/access/confirm-password.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { passwordChangedMail } from "../../../core/access/account-mail.ts";
import { newPasswordField, typedPassword } from "../../../core/access/sign-in.ts";

export const changePassword = defineEndpoint({
  id: "accounts.change_password",
  method: "POST",
  path: "/account/password",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Set a new password with the old one; every other browser is signed out.",
  input: z.object({
    password: typedPassword(),
    second_factor: typedFactor().default(""),
    new_password: newPasswordField(),
  }),
  output: z.null(),
  success: [204],
  errors: ["unauthorized", "rate_limited"],
  example: {
    input: { password: "correct horse battery", new_password: "a better horse battery" },
    output: null,
  },

  async handle({ password, new_password, second_factor }, context) {
    const { db, caller, people } = context;
    const { account, session } = caller;
    await confirmPassword(password, second_factor, context);
    await db.write(replacePassword, account.id, await people.passwords.hash(new_password), session.id);
    noteSecurity(context, "password_changed");
    mailPerson(account, passwordChangedMail("/password/forgot"), context);
    return nothing();
  },
});
