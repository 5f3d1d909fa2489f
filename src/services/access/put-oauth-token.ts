import type { OAuthRecord } from "../../core/access/connector.ts";
import { upsertOAuthRecord, keepGrant, keepClient } from "../../store/access/oauth-records.ts";
import { oauthRecordTable } from "../../store/access/tables.ts";
import { type Work, run } from "../../store/engine/database.ts";

/** Also extends the grant and its client to the token's expiry. */
export function* putOAuthToken(record: OAuthRecord, clientDigest: string): Work<void> {
  const until = record.expiresAt;
  yield* run(upsertOAuthRecord, oauthRecordTable.toRow(record));
  yield* run(keepGrant, { id: record.grantId ?? "", until });
  yield* run(keepClient, { digest: clientDigest, until });
}
