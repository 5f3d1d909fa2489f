import type { Account } from "../../core/access/account.ts";
import type { CodePurpose } from "../../core/access/one-time-code.ts";
import { findAccount } from "../../store/access/account-rows.ts";
import { useCode } from "../../store/access/one-time-codes.ts";
import { accountTable } from "../../store/access/tables.ts";
import { type Work, one } from "../../store/engine/database.ts";

/** Uses up a code, and returns its account; null if the account's address has changed since. */
export function* accountByCode(digest: string, purpose: CodePurpose, now: number): Work<Account | null> {
  const code = yield* useCode(digest, purpose, now);
  const row = code && (yield* one(findAccount, { id: code.accountId }));
  return row && row.email === code.email ? accountTable.toRecord(row) : null;
}
