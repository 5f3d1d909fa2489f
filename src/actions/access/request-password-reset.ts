import { newOneTimeCode } from "../../app/access/new-one-time-code.ts";
import { action } from "../../contract/endpoint/action.ts";
import { selectAccountByEmail } from "../../store/access/accounts.ts";
import { addOneTimeCode } from "../../services/access/add-one-time-code.ts";
import type { Context } from "../../contract/call/context.ts";
import { countMail } from "../../contract/limits/attempt-limits.ts";
import { passwordResetMail } from "../../core/access/account-mail.ts";
import { newEmail } from "../../core/access/sign-in.ts";

/** Mails a link; the answer is the same whether or not the address has an account. */
export const requestPasswordReset = action({
  id: "accounts.request_password_reset",
  who: "anyone",
  input: { email: newEmail() },
  errors: ["invalid_state", "rate_limited"],

  async run({ email }, context) {
    const { caller, people, fail } = context;
    if (people.mail === null)
      return fail(
        "invalid_state",
        "This service sends no mail. Ask its operator for a new password: tickmark account reset-password ADDRESS",
      );
    await countMail(email, caller, context);
    people.afterwards(() => sendReset(email, context));
    return null;
  },
});

/** Runs after the answer, so that unknown addresses are answered just as fast. */
async function sendReset(
  email: string,
  { db, secrets, people, now }: Pick<Context<unknown, never>, "db" | "secrets" | "people" | "now">,
): Promise<void> {
  const account = await db.read(selectAccountByEmail, email);
  if (!account || account.role === "suspended") return;
  const { code, kept, digest } = newOneTimeCode("reset_password", account, { secrets, now });
  await db.write(addOneTimeCode, kept, digest);
  await people.mail?.(account.email, passwordResetMail(`/password/reset/${code}`), kept.id);
}
