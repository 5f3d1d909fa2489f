import { sql } from "kysely";
import type { Consent, ConnectorStore } from "../../core/access/connector.ts";
import { all, one, run, Undo, type Database, type Result, type Step } from "../engine/database.ts";
import { lockAccount } from "../server/locks.ts";
import { markConsumed, recordStore, toRow, upsert, type RecordStore } from "./oauth-records.ts";
import { query } from "../engine/query.ts";
import type { Tables } from "../schema/tables.ts";
import { countActiveTokens, presentedTokens, scopesOf, toPresentedToken } from "./tokens.ts";

/** The kind that the query here knows by name; it is the library's. */
const accessTokenKind = "AccessToken";

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

/** Those that a new consent of the same program could take the place of. */
const grantsOfClient = query<{ account: string; client: string; now: number }>()((db, $) =>
  db
    .selectFrom("api_token")
    .select(["id", "created_at", "last_used_at"])
    .where("account_id", "=", $.account)
    .where("client_id", "=", $.client)
    .where("kind", "=", "connector")
    .where("revoked_at", "is", null)
    .where("expires_at", ">", $.now)
    .orderBy(sql`COALESCE(last_used_at, created_at)`, "desc")
    .orderBy("id", "desc"),
);

const revokeReplaced = query<{ id: string; account: string; client: string; now: number }>()((db, $) =>
  db
    .updateTable("api_token")
    .set({ revoked_at: $.now })
    .where("id", "=", $.id)
    .where("account_id", "=", $.account)
    .where("client_id", "=", $.client)
    .where("kind", "=", "connector")
    .where("revoked_at", "is", null),
);

const presentAccess = query<{ digest: string; now: number }>()((db, $) =>
  presentedTokens(db, $.now)
    .innerJoin("oauth_record as r", "r.token_id", "t.id")
    .select(["r.payload", sql<number>`r.expires_at`.as("access_ends_at")])
    .where("r.kind", "=", accessTokenKind)
    .where("r.digest", "=", $.digest),
);

function* give({ token, client, digest, limit, request, replaces }: Consent): Generator<Step, void, Result> {
  yield* lockAccount(token.accountId);
  const { kind, digest: requested } = request;
  const first = yield* run(markConsumed, { kind, digest: requested, now: token.createdAt });
  if (first === 0) throw new Undo("answered" as const);
  const [account, now] = [token.accountId, token.createdAt];
  if (replaces !== null) yield* run(revokeReplaced, { id: replaces, account, client: client.id, now });
  const counted = yield* one(countActiveTokens, { account, now });
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

export const connectorStore = (db: Database): ConnectorStore => ({ ...recordStore(db), ...grants(db) });

function grants(db: Database): Omit<ConnectorStore, keyof RecordStore> {
  return {
    consent: (consent) =>
      db.write("saved", function* (): Generator<Step, "given" | "answered" | "limit", Result> {
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
    grantsOf: (account, client, now) =>
      db.read(function* () {
        const rows = yield* all(grantsOfClient, { account, client, now });
        return rows.map((row) => ({
          id: row.id,
          createdAt: row.created_at,
          lastUsedAt: row.last_used_at,
        }));
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
