import { sql } from "kysely";
import type { Consent, ConnectorStore, OAuthRecord } from "../core/access/connector.ts";
import { one, run, Undo, type Database, type Result, type Step } from "./database.ts";
import { lockAccount } from "./locks.ts";
import { placesOf, query } from "./query.ts";
import type { Tables } from "./schema.ts";
import { countActiveTokens, presentedTokens, scopesOf, toPresentedToken } from "./tokens.ts";

type Row = { [Column in keyof Tables["oauth_record"]]: Tables["oauth_record"][Column] };

/** The kinds that the queries here know by name; they are the library's. */
const clientKind = "Client";
const accessTokenKind = "AccessToken";

const columns = [
  "kind",
  "digest",
  "token_id",
  "payload",
  "created_at",
  "expires_at",
  "consumed_at",
] as const satisfies readonly (keyof Row)[];

const toRow = (record: OAuthRecord): Row => ({
  kind: record.kind,
  digest: record.digest,
  token_id: record.grantId,
  payload: record.payload,
  created_at: record.createdAt,
  expires_at: record.expiresAt,
  consumed_at: record.consumedAt,
});

const toRecord = (row: Row): OAuthRecord => ({
  kind: row.kind,
  digest: row.digest,
  grantId: row.token_id,
  payload: row.payload,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  consumedAt: row.consumed_at,
});

const upsert = query<Row>()((db, $) =>
  db
    .insertInto("oauth_record")
    .values(placesOf(columns, $))
    .onConflict((conflict) =>
      conflict.columns(["kind", "digest"]).doUpdateSet((eb) => ({
        token_id: eb.ref("excluded.token_id"),
        payload: eb.ref("excluded.payload"),
        expires_at: eb.ref("excluded.expires_at"),
        consumed_at: eb.ref("excluded.consumed_at"),
      })),
    ),
);

const byDigest = query<{ kind: string; digest: string; now: number }>()((db, $) =>
  db
    .selectFrom("oauth_record")
    .select(columns)
    .where("kind", "=", $.kind)
    .where("digest", "=", $.digest)
    .where("expires_at", ">", $.now),
);

const markConsumed = query<{ kind: string; digest: string; now: number }>()((db, $) =>
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

type GrantRow = Omit<Tables["api_token"], "kind" | "revoked_at" | "last_used_at">;

const insertGrant = query<GrantRow>()((db, $) =>
  db.insertInto("api_token").values({
    id: $.id,
    account_id: $.account_id,
    name: $.name,
    kind: "connector",
    digest: $.digest,
    scopes: $.scopes,
    created_at: $.created_at,
    expires_at: $.expires_at,
    revoked_at: null,
    last_used_at: null,
    client_id: $.client_id,
    client_name: $.client_name,
    client_host: $.client_host,
  }),
);

const grantById = query<{ id: string; now: number }>()((db, $) =>
  db
    .selectFrom("api_token")
    .select(["id", "account_id", "client_id", "scopes", "created_at", "expires_at"])
    .where("id", "=", $.id)
    .where("kind", "=", "connector")
    .where("revoked_at", "is", null)
    .where("expires_at", ">", $.now),
);

const presentAccess = query<{ digest: string; now: number }>()((db, $) =>
  presentedTokens(db, $.now)
    .innerJoin("oauth_record as r", "r.token_id", "t.id")
    .select(["r.payload", sql<number>`r.expires_at`.as("access_ends_at")])
    .where("r.kind", "=", accessTokenKind)
    .where("r.digest", "=", $.digest),
);

function* give({ token, client, digest, limit, request }: Consent): Generator<Step, void, Result> {
  yield* lockAccount(token.accountId);
  const { kind, digest: requested } = request;
  const first = yield* run(markConsumed, { kind, digest: requested, now: token.createdAt });
  if (first === 0) throw new Undo("answered" as const);
  const counted = yield* one(countActiveTokens, { account: token.accountId, now: token.createdAt });
  if ((counted?.active ?? 0) >= limit) throw new Undo("limit" as const);
  yield* run(insertGrant, {
    id: token.id,
    account_id: token.accountId,
    name: token.name,
    digest,
    scopes: token.scopes.join(" "),
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    client_id: client.id,
    client_name: client.name,
    client_host: client.host,
  });
  yield* run(upsert, toRow({ ...request, consumedAt: token.createdAt }));
}

const grantedScopes = (payload: string): string => {
  const { scope } = JSON.parse(payload) as { scope?: unknown };
  return typeof scope === "string" ? scope : "";
};

export function connectorStore(db: Database): ConnectorStore {
  const write = <T>(work: () => Generator<Step, T, Result>): Promise<T> => db.write("saved", work);
  return {
    put: (record) =>
      write(function* () {
        yield* run(upsert, toRow(record));
      }),
    putToken: (record, clientDigest) =>
      write(function* () {
        const until = record.expiresAt;
        yield* run(upsert, toRow(record));
        yield* run(keepGrant, { id: record.grantId ?? "", until });
        yield* run(keepClient, { digest: clientDigest, until });
      }),
    putClient: (record, most) =>
      write(function* () {
        const counted = yield* one(countLive, { kind: record.kind, now: record.createdAt });
        if ((counted?.live ?? 0) >= most) return false;
        yield* run(upsert, toRow(record));
        return true;
      }),
    find: (kind, digest, now) =>
      db.read(function* () {
        const row = yield* one(byDigest, { kind, digest, now });
        return row && toRecord(row);
      }),
    consume: (kind, digest, now) =>
      write(function* () {
        return (yield* run(markConsumed, { kind, digest, now })) > 0;
      }),
    consumedLater: (kind, grantId, after) =>
      db.read(function* () {
        return (yield* one(someConsumedLater, { kind, token: grantId, after })) !== null;
      }),
    remove: (kind, digest) =>
      write(function* () {
        yield* run(remove, { kind, digest });
      }),
    consent: (consent) =>
      write(function* (): Generator<Step, "given" | "answered" | "limit", Result> {
        yield* give(consent);
        return "given";
      }),
    countActive: (account, now) =>
      db.read(function* () {
        return (yield* one(countActiveTokens, { account, now }))?.active ?? 0;
      }),
    grant: (id, now) =>
      db.read(function* () {
        const row = yield* one(grantById, { id, now });
        return (
          row && {
            id: row.id,
            accountId: row.account_id,
            clientId: row.client_id ?? "",
            scopes: scopesOf(row.scopes),
            createdAt: row.created_at,
            expiresAt: row.expires_at,
          }
        );
      }),
    present: (digest, now) =>
      db.read(function* () {
        const row = yield* one(presentAccess, { digest, now });
        if (!row) return null;
        const found = toPresentedToken(row);
        const own = new Set(scopesOf(grantedScopes(row.payload)));
        const scopes = found.token.scopes.filter((scope) => own.has(scope));
        return { ...found, token: { ...found.token, scopes }, accessEndsAt: row.access_ends_at };
      }),
  };
}
