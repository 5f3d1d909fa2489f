import { addOneTimeCode } from "../../services/access/add-one-time-code.ts";
import type { Context } from "../../contract/call/context.ts";
import type { Account } from "../../core/access/account.ts";
import { verificationMail } from "../../core/access/account-mail.ts";
import { codeLifetimeMs } from "../../core/access/one-time-code.ts";
import type { SendResult } from "../../core/notice/notifier.ts";

type Sending = Pick<Context<unknown, never>, "db" | "secrets" | "people" | "now">;

/** Mails the account's address a link that verifies it; null where this service sends no mail. */
export async function sendVerification(
  { id, email }: Pick<Account, "id" | "email">,
  { db, secrets, people, now }: Sending,
): Promise<SendResult | null> {
  if (people.mail === null) return null;
  const code = secrets.newNonce();
  const made = {
    id: secrets.newId(now),
    purpose: "verify_email" as const,
    accountId: id,
    email,
    createdAt: now,
    expiresAt: now + codeLifetimeMs.verify_email,
  };
  await db.write(addOneTimeCode, made, secrets.digest(code));
  return people.mail(email, verificationMail(`/verify-email/${code}`), made.id);
}
