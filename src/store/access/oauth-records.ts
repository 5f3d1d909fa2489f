import type { ConnectorStore } from "../../core/access/connector.ts";
import { one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { oauthRecordTable } from "./tables.ts";

/** What the authorization server keeps by digest, whatever a person granted. */
export type RecordStore = Pick<
  ConnectorStore,
  "put" | "putToken" | "putClient" | "find" | "consume" | "consumedLater" | "move" | "answer" | "remove"
>;

/** The kind that the query here knows by name; it is the library's. */
const clientKind = "Client";

export const upsert = query<RowOf<typeof oauthRecordTable>>()((db, $) =>
  db
    .insertInto("oauth_record")
    .values(placesOf(oauthRecordTable.columns, $))
    .onConflict((conflict) =>
      conflict.columns(["kind", "digest"]).doUpdateSet((eb) => ({
        token_id: eb.ref("excluded.token_id"),
        payload: eb.ref("excluded.payload"),
        expires_at: eb.ref("excluded.expires_at"),
        // What was used stays used, also where it is written again.
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

const countLive = query<{ kind: string; now: number }>()((db, $) =>
  db
    .selectFrom("oauth_record")
    .select((eb) => eb.fn.countAll<number>().as("live"))
    .where("kind", "=", $.kind)
    .where("expires_at", ">", $.now),
);

/** A client lasts as long as what was issued to it. */
const keepClient = query<{ digest: string; until: number }>()((db, $) =>
  db
    .updateTable("oauth_record")
    .set({ expires_at: $.until })
    .where("kind", "=", clientKind)
    .where("digest", "=", $.digest)
    .where("expires_at", "<", $.until),
);

const keepGrant = query<{ id: string; until: number }>()((db, $) =>
  db
    .updateTable("api_token")
    .set({ expires_at: $.until })
    .where("id", "=", $.id)
    .where("kind", "=", "connector")
    .where("expires_at", "<", $.until),
);

export function recordStore(db: Database): RecordStore {
  const write = <T>(work: () => Generator<Step, T, Result>): Promise<T> => db.write("saved", work);
  return {
    put: (record) =>
      write(function* () {
        yield* run(upsert, oauthRecordTable.toRow(record));
      }),
    putToken: (record, clientDigest) =>
      write(function* () {
        const until = record.expiresAt;
        yield* run(upsert, oauthRecordTable.toRow(record));
        yield* run(keepGrant, { id: record.grantId ?? "", until });
        yield* run(keepClient, { digest: clientDigest, until });
      }),
    putClient: (record, most) =>
      write(function* () {
        const counted = yield* one(countLive, { kind: record.kind, now: record.createdAt });
        if ((counted?.live ?? 0) >= most) return false;
        yield* run(upsert, oauthRecordTable.toRow(record));
        return true;
      }),
    find: (kind, digest, now) =>
      db.read(function* () {
        const row = yield* one(byDigest, { kind, digest, now });
        return row && oauthRecordTable.toRecord(row);
      }),
    consume: (kind, digest, now) =>
      write(function* () {
        return (yield* run(markConsumed, { kind, digest, now })) > 0;
      }),
    consumedLater: (kind, grantId, after) =>
      db.read(function* () {
        return (yield* one(someConsumedLater, { kind, token: grantId, after })) !== null;
      }),
    move: (kind, digest, to) =>
      write(function* () {
        return (yield* run(moveTo, { kind, digest, to })) > 0;
      }),
    answer: (request) =>
      write(function* () {
        const { kind, digest, consumedAt } = request;
        const first = yield* run(markConsumed, { kind, digest, now: consumedAt ?? request.createdAt });
        if (first === 0) return false;
        yield* run(upsert, oauthRecordTable.toRow(request));
        return true;
      }),
    remove: (kind, digest) =>
      write(function* () {
        yield* run(remove, { kind, digest });
      }),
  };
}
