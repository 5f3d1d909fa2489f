import type { OAuthRecord } from "../../core/access/connector.ts";
import { countLiveRecords, upsertOAuthRecord } from "../../store/access/oauth-records.ts";
import { oauthRecordTable } from "../../store/access/tables.ts";
import { type Work, one, run } from "../../store/engine/database.ts";

/** Returns false if there are already `most` unexpired clients. */
export function* putOAuthClient(record: OAuthRecord, most: number): Work<boolean> {
  const counted = yield* one(countLiveRecords, { kind: record.kind, now: record.createdAt });
  if ((counted?.live ?? 0) >= most) return false;
  yield* run(upsertOAuthRecord, oauthRecordTable.toRow(record));
  return true;
}
