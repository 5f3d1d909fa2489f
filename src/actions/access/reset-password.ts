import { action } from "../../contract/endpoint/action.ts";
import { resetPasswordByCode } from "../../services/access/reset-password-by-code.ts";
import { selectOneTimeCode } from "../../store/access/one-time-codes.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { forgetPasswordTries } from "../../contract/limits/attempt-limits.ts";
import { passwordChangedMail } from "../../core/access/account-mail.ts";
import { newPasswordField, typedCode } from "../../core/access/sign-in.ts";

/** Ends every session of the account. */
export const resetPassword = action({
  id: "accounts.reset_password",
  who: "anyone",
  input: { code: typedCode(), password: newPasswordField() },
  errors: ["invalid_state", "rate_limited"],

  async run({ code, password }, context) {
    const { db, secrets, people, now, fail } = context;
    const digest = secrets.digest(code);
    // Checked before the password is hashed, because hashing is expensive.
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
