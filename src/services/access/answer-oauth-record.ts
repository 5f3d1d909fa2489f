import type { OAuthRecord } from "../../core/access/connector.ts";
import { markConsumed, upsertOAuthRecord } from "../../store/access/oauth-records.ts";
import { oauthRecordTable } from "../../store/access/tables.ts";
import { type Work, run } from "../../store/engine/database.ts";

/** Returns false if the request was answered before. */
export function* answerOAuthRecord(request: OAuthRecord): Work<boolean> {
  const { kind, digest, consumedAt } = request;
  const first = yield* run(markConsumed, { kind, digest, now: consumedAt ?? request.createdAt });
  if (first === 0) return false;
  yield* run(upsertOAuthRecord, oauthRecordTable.toRow(request));
  return true;
}
