import { newOneTimeCode } from "../../app/access/new-one-time-code.ts";
import { addOneTimeCode } from "../../services/access/add-one-time-code.ts";
import type { Context } from "../../contract/call/context.ts";
import type { Account } from "../../core/access/account.ts";
import { verificationMail } from "../../core/access/account-mail.ts";
import type { SendResult } from "../../core/notice/notifier.ts";

type Sending = Pick<Context<unknown, never>, "db" | "secrets" | "people" | "now">;

/** Null if this service sends no mail. */
export async function sendVerification(
  account: Pick<Account, "id" | "email">,
  { db, secrets, people, now }: Sending,
): Promise<SendResult | null> {
  if (people.mail === null) return null;
  const { code, kept, digest } = newOneTimeCode("verify_email", account, { secrets, now });
  await db.write(addOneTimeCode, kept, digest);
  return people.mail(account.email, verificationMail(`/verify-email/${code}`), kept.id);
}
