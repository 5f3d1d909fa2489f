import type { ApiToken } from "../../core/access/account.ts";
import { apiTokenTable } from "../../store/access/tables.ts";
import { countActiveTokens, insertToken } from "../../store/access/tokens.ts";
import { type Work, one, run } from "../../store/engine/database.ts";
import { lockAccount } from "../../store/server/locks.ts";

/** Returns false if the account already has `limit` active tokens; the account is locked meanwhile. */
export function* addToken(token: ApiToken, digest: string, limit: number): Work<boolean> {
  yield* lockAccount(token.accountId);
  const counted = yield* one(countActiveTokens, { account: token.accountId, now: token.createdAt });
  if ((counted?.active ?? 0) >= limit) return false;
  yield* run(insertToken, {
    ...apiTokenTable.toRow({ ...token, revokedAt: null, lastUsedAt: null }),
    digest,
    client_id: null,
    client_name: null,
    client_host: null,
  });
  return true;
}
