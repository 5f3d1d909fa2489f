import { resetPasswordByCode } from "../../../services/access/reset-password-by-code.ts";
import { selectOneTimeCode } from "../../../store/access/one-time-codes.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { forgetPasswordTries } from "../../../contract/limits/attempt-limits.ts";
import { passwordChangedMail } from "../../../core/access/account-mail.ts";
import { newPasswordField, typedCode } from "../../../core/access/sign-in.ts";

export const resetPassword = defineEndpoint({
  id: "accounts.reset_password",
  method: "POST",
  path: "/account/password/reset",
  params: {},
  access: { face: "web", who: "anyone" },
  summary: "Set a new password with the code that was mailed; every session of the account ends.",
  input: z.object({ code: typedCode(), password: newPasswordField() }),
  output: z.object({ email: z.string() }),
  errors: ["invalid_state", "rate_limited"],
  example: {
    input: { code: "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA", password: "correct horse battery" },
    output: { email: "you@example.org" },
  },

  async handle({ code, password }, context) {
    const { db, secrets, people, now, fail } = context;
    const digest = secrets.digest(code);
    // Looked at before the password is hashed: who has no code is not worth that.
    const refuse = (): never => {
      noteSecurity(context, "code_refused", { detail: "new password" });
      return fail("invalid_state", over);
    };
    if (!(await db.read(selectOneTimeCode, digest, "reset_password", now))) return refuse();
    const hash = await people.passwords.hash(password);
    const account = await db.write(resetPasswordByCode, digest, hash, now);
    if (!account) return refuse();
    noteSecurity(context, "password_changed", { accountId: account.id, detail: "with a mailed code" });
    await forgetPasswordTries(account, context);
    const mail = passwordChangedMail("/password/forgot");
    people.afterwards(async () => void (await people.mail?.(account.email, mail, secrets.newId(now))));
    return { email: account.email };
  },
});

const over =
  "This link was used already, has expired, or was sent to an old address of the account. Request a new one.";
