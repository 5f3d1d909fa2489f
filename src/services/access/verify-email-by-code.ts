import type { Account } from "../../core/access/account.ts";
import type { Instant } from "../../core/time.ts";
import { setVerified } from "../../store/access/account-rows.ts";
import { type Work, run } from "../../store/engine/database.ts";
import { accountByCode } from "./account-by-code.ts";

/** Null if the code is not usable. */
export function* verifyEmailByCode(digest: string, now: Instant): Work<Account | null> {
  const account = yield* accountByCode(digest, "verify_email", now);
  if (!account) return null;
  yield* run(setVerified, { id: account.id, verified: 1 });
  return { ...account, emailVerified: true };
}
