import type { Account } from "../../core/access/account.ts";
import type { Message } from "../../core/notice/message.ts";
import type { Caller } from "./caller.ts";
import type { Context } from "./context.ts";

/** Mails a person after the response, if the address is verified and the service sends mail. */
export function mailPerson(
  { email, emailVerified }: Pick<Account, "email" | "emailVerified">,
  message: Message,
  { people, secrets, now }: Pick<Context<Caller, never>, "people" | "secrets" | "now">,
): void {
  if (!emailVerified) return;
  people.afterwards(async () => void (await people.mail?.(email, message, secrets.newId(now))));
}
