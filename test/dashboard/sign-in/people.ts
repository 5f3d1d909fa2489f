import { replacePassword } from "../../../src/services/access/replace-password.ts";
import { hashPassword } from "../../../src/app/access/passwords.ts";
import type { Account } from "../../../src/core/access/account.ts";
import type { Answer, TestService } from "../../support/service.ts";

export const password = "correct horse battery";
export const hash = await hashPassword(password);

/** An account with that password. */
export async function person(on: TestService, changes: Partial<Account> = {}): Promise<Account> {
  const account = await on.account("pro", "user", changes);
  await on.app.db.write(replacePassword, account.id, hash, null);
  return account;
}

/** The status and redirect of an answer. */
export const landing = ({ status, headers }: Answer) => [status, headers.location];

/** Every page of one's own account, and the forms on it. */
export const forms: readonly (readonly [path: string, action: string])[] = [
  ["/set-up", "set_up"],
  ["/sign-in", "sign_in"],
  ["/sign-out", "sign_out"],
  ["/sign-up", "sign_up"],
  ["/password/forgot", "ask"],
  ["/password/reset/x", "reset"],
  ["/verify-email/x", "verify"],
  ["/settings", "verify_email"],
  ["/settings", "change_email"],
  ["/settings", "change_password"],
  ["/settings/security", "end_session"],
  ["/settings/security", "end_other_sessions"],
];
