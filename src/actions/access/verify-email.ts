import { action } from "../../contract/endpoint/action.ts";
import { verifyEmailByCode } from "../../services/access/verify-email-by-code.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { typedCode } from "../../core/access/sign-in.ts";

export const verifyEmail = action({
  id: "accounts.verify_email",
  who: "anyone",
  input: { code: typedCode() },
  errors: ["invalid_state"],

  async run({ code }, context) {
    const { db, secrets, now, fail } = context;
    const account = await db.write(verifyEmailByCode, secrets.digest(code), now);
    if (account) {
      noteSecurity(context, "email_verified", { accountId: account.id });
      return { email: account.email };
    }
    noteSecurity(context, "code_refused", { detail: "e-mail address" });
    return fail(
      "invalid_state",
      "This link was used already, has expired, or was sent to an old address of the account. Request a new one in Settings, Account.",
    );
  },
});
