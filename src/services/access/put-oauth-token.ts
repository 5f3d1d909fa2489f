import type { OAuthRecord } from "../../core/access/connector.ts";
import { upsertOAuthRecord, keepGrant, keepClient } from "../../store/access/oauth-records.ts";
import { oauthRecordTable } from "../../store/access/tables.ts";
import { type Work, run } from "../../store/engine/database.ts";

/** Keeps a token of a grant, which then, like its client, lasts as long as the token does. */
export function* putOAuthToken(record: OAuthRecord, clientDigest: string): Work<void> {
  const until = record.expiresAt;
  yield* run(upsertOAuthRecord, oauthRecordTable.toRow(record));
  yield* run(keepGrant, { id: record.grantId ?? "", until });
  yield* run(keepClient, { digest: clientDigest, until });
}
