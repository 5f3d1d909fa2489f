import type { Instant } from "../../core/time.ts";
import { findTokenOf, setTokenRevoked } from "../../store/access/tokens.ts";
import { type Work, one, run } from "../../store/engine/database.ts";

/** Returns false if the account has no such token; true if it was revoked before. */
export function* revokeTokenOfAccount(account: string, id: string, now: Instant): Work<boolean> {
  if (!(yield* one(findTokenOf, { account, id }))) return false;
  yield* run(setTokenRevoked, { id, now });
  return true;
}
