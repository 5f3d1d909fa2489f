import type { Account } from "../../core/access/account.ts";
import type { Instant } from "../../core/time.ts";
import { setHash } from "../../store/access/account-rows.ts";
import { endSessionsBut } from "./end-sessions.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { accountByCode } from "./account-by-code.ts";

/** Also ends all sessions of the account. Null if the code is not usable. */
export function* resetPasswordByCode(digest: string, hash: string, now: Instant): Work<Account | null> {
  const account = yield* accountByCode(digest, "reset_password", now);
  if (!account) return null;
  yield* run(setHash, { id: account.id, hash });
  yield* endSessionsBut(account.id, null);
  return account;
}
