import type { ConsentRecord } from "../../core/access/connector.ts";
import { revokeReplaced, insertGrant } from "../../store/access/connectors.ts";
import { markConsumed, upsertOAuthRecord } from "../../store/access/oauth-records.ts";
import { apiTokenTable, oauthRecordTable } from "../../store/access/tables.ts";
import { countActiveTokens, findActiveToken } from "../../store/access/tokens.ts";
import { run, Undo, one, type Work } from "../../store/engine/database.ts";
import { setRights } from "./change-rights.ts";
import { lockAccount } from "../../store/server/locks.ts";

export function* give(consent: ConsentRecord): Work<void> {
  const { token, client, digest, limit, request, replaces, widens } = consent;
  yield* lockAccount(token.accountId);
  const { kind, digest: requested } = request;
  const first = yield* run(markConsumed, { kind, digest: requested, now: token.createdAt });
  if (first === 0) throw new Undo("answered" as const);
  const [account, now] = [token.accountId, token.createdAt];
  if (widens !== null) {
    const found = yield* one(findActiveToken, { account, id: widens, now });
    // A person widens what this program holds, whatever id a changed form sends.
    if (found?.client_id !== client.id) throw new Undo("gone" as const);
    yield* setRights({ accountId: account, id: widens, scopes: token.scopes, now });
    yield* run(upsertOAuthRecord, oauthRecordTable.toRow({ ...request, consumedAt: now }));
    return;
  }
  if (replaces !== null) yield* run(revokeReplaced, { id: replaces, account, client: client.id, now });
  const counted = yield* one(countActiveTokens, { account, now });
  if ((counted?.active ?? 0) >= limit) throw new Undo("limit" as const);
  yield* run(insertGrant, {
    ...apiTokenTable.toRow({ ...token, kind: "connector", revokedAt: null, lastUsedAt: null }),
    digest,
    client_id: client.id,
    client_name: client.name,
    client_host: client.host,
  });
  yield* run(upsertOAuthRecord, oauthRecordTable.toRow({ ...request, consumedAt: token.createdAt }));
}

export function* grantConsent(consent: ConsentRecord): Work<"given" | "answered" | "limit" | "gone"> {
  yield* give(consent);
  return "given";
}
