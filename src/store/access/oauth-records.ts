import type { OAuthRecord } from "../../core/access/connector.ts";
import type { Instant } from "../../core/time.ts";
import { type Work, one, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { oauthRecordTable } from "./tables.ts";

/** The name that the OAuth library gives this kind of record. */
const clientKind = "Client";

export const upsertOAuthRecord = query<RowOf<typeof oauthRecordTable>>()((db, $) =>
  db
    .insertInto("oauth_record")
    .values(placesOf(oauthRecordTable.columns, $))
    .onConflict((conflict) =>
      conflict.columns(["kind", "digest"]).doUpdateSet((eb) => ({
        token_id: eb.ref("excluded.token_id"),
        payload: eb.ref("excluded.payload"),
        expires_at: eb.ref("excluded.expires_at"),
        // A consumed record stays consumed when it is saved again.
        consumed_at: eb.fn.coalesce("excluded.consumed_at", "oauth_record.consumed_at"),
      })),
    ),
);

const byDigest = query<{ kind: string; digest: string; now: number }>()((db, $) =>
  db
    .selectFrom("oauth_record")
    .select(oauthRecordTable.own)
    .where("kind", "=", $.kind)
    .where("digest", "=", $.digest)
    .where("expires_at", ">", $.now),
);

export const markConsumed = query<{ kind: string; digest: string; now: number }>()((db, $) =>
  db
    .updateTable("oauth_record")
    .set({ consumed_at: $.now })
    .where("kind", "=", $.kind)
    .where("digest", "=", $.digest)
    .where("consumed_at", "is", null),
);

const someConsumedLater = query<{ kind: string; token: string; after: number }>()((db, $) =>
  db
    .selectFrom("oauth_record")
    .select("digest")
    .where("token_id", "=", $.token)
    .where("kind", "=", $.kind)
    .where("consumed_at", ">", $.after)
    .limit(1),
);

/** The access and refresh tokens of a grant that are still accepted. */
export const liveTokensOfGrant = query<{ id: string; now: number }>()((db, $) =>
  db
    .selectFrom("oauth_record")
    .select(["kind", "digest", "payload"])
    .where("token_id", "=", $.id)
    .where("kind", "in", ["AccessToken", "RefreshToken"])
    .where("expires_at", ">", $.now),
);

export const saveTokenPayload = query<{ kind: string; digest: string; payload: string }>()((db, $) =>
  db
    .updateTable("oauth_record")
    .set({ payload: $.payload })
    .where("kind", "=", $.kind)
    .where("digest", "=", $.digest),
);

const moveTo = query<{ kind: string; digest: string; to: string }>()((db, $) =>
  db
    .updateTable("oauth_record")
    .set({ kind: $.to })
    .where("kind", "=", $.kind)
    .where("digest", "=", $.digest),
);

const remove = query<{ kind: string; digest: string }>()((db, $) =>
  db.deleteFrom("oauth_record").where("kind", "=", $.kind).where("digest", "=", $.digest),
);

export const countLiveRecords = query<{ kind: string; now: number }>()((db, $) =>
  db
    .selectFrom("oauth_record")
    .select((eb) => eb.fn.countAll<number>().as("live"))
    .where("kind", "=", $.kind)
    .where("expires_at", ">", $.now),
);

/** A client record lives as long as what was issued to it. */
export const keepClient = query<{ digest: string; until: number }>()((db, $) =>
  db
    .updateTable("oauth_record")
    .set({ expires_at: $.until })
    .where("kind", "=", clientKind)
    .where("digest", "=", $.digest)
    .where("expires_at", "<", $.until),
);

export const keepGrant = query<{ id: string; until: number }>()((db, $) =>
  db
    .updateTable("api_token")
    .set({ expires_at: $.until })
    .where("id", "=", $.id)
    .where("kind", "=", "connector")
    .where("expires_at", "<", $.until),
);

export function* putOAuthRecord(record: OAuthRecord): Work<void> {
  yield* run(upsertOAuthRecord, oauthRecordTable.toRow(record));
}

export function* selectOAuthRecord(kind: string, digest: string, now: Instant): Work<OAuthRecord | null> {
  const row = yield* one(byDigest, { kind, digest, now });
  return row && oauthRecordTable.toRecord(row);
}

/** False if it was consumed before: of concurrent calls only one succeeds. */
export function* consumeOAuthRecord(kind: string, digest: string, now: Instant): Work<boolean> {
  return (yield* run(markConsumed, { kind, digest, now })) > 0;
}

export function* hasConsumedLater(kind: string, grantId: string, after: Instant): Work<boolean> {
  return (yield* one(someConsumedLater, { kind, token: grantId, after })) !== null;
}

export function* deleteOAuthRecord(kind: string, digest: string): Work<void> {
  yield* run(remove, { kind, digest });
}

/** False if the record is no longer of that kind: of concurrent calls only one succeeds. */
export function* moveOAuthRecord(kind: string, digest: string, to: string): Work<boolean> {
  return (yield* run(moveTo, { kind, digest, to })) > 0;
}
