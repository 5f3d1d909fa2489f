import { verifyEmailByCode } from "../../../services/access/verify-email-by-code.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { typedCode } from "../../../core/access/sign-in.ts";

export const verifyEmail = defineEndpoint({
  id: "accounts.verify_email",
  method: "POST",
  path: "/account/email/verify",
  params: {},
  access: { face: "web", who: "anyone" },
  summary: "Verify an address with the code that was mailed to it.",
  input: z.object({ code: typedCode() }),
  output: z.object({ email: z.string() }),
  errors: ["invalid_state"],
  example: {
    input: { code: "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA" },
    output: { email: "you@example.org" },
  },

  async handle({ code }, context) {
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
