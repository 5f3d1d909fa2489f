import type { Instant } from "../../core/time.ts";
import type { PresentedToken } from "../../core/access/account.ts";
import { sql } from "kysely";
import type { HeldGrant, ConnectorGrant } from "../../core/access/connector.ts";
import { type Work, all, one } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { apiTokenTable, scopesOf } from "./tables.ts";
import { countActiveTokens, presentedTokens, toPresentedToken } from "./tokens.ts";

/** The name that the OAuth library gives this kind of record. */
const accessTokenKind = "AccessToken";

export const insertGrant = query<RowOf<typeof apiTokenTable>>()((db, $) =>
  db.insertInto("api_token").values(placesOf(apiTokenTable.columns, $)),
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

/** Grants that a new consent to the same client could widen or replace, the most recently used first. */
const grantsOfClient = query<{ account: string; client: string; now: number }>()((db, $) =>
  db
    .selectFrom("api_token")
    .select(["id", "scopes", "created_at", "last_used_at"])
    .where("account_id", "=", $.account)
    .where("client_id", "=", $.client)
    .where("kind", "=", "connector")
    .where("revoked_at", "is", null)
    .where("expires_at", ">", $.now)
    .orderBy(sql`COALESCE(last_used_at, created_at)`, "desc")
    .orderBy("id", "desc"),
);

export const revokeReplaced = query<{ id: string; account: string; client: string; now: number }>()((db, $) =>
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

const grantedScopes = (payload: string): string => {
  const { scope } = JSON.parse(payload) as { scope?: unknown };
  return typeof scope === "string" ? scope : "";
};

export function* selectGrantsOfClient(account: string, client: string, now: Instant): Work<HeldGrant[]> {
  const rows = yield* all(grantsOfClient, { account, client, now });
  return rows.map((row) => ({
    id: row.id,
    scopes: scopesOf(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** Counts the account's connectors and plain tokens together. */
export function* countActiveConnectors(account: string, now: Instant): Work<number> {
  return (yield* one(countActiveTokens, { account, now }))?.active ?? 0;
}

/** Null if the grant was revoked or has expired. */
export function* selectGrant(id: string, now: Instant): Work<ConnectorGrant | null> {
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
}

/** The grant of an access token, limited to that token's own scopes; null if the token is not active. */
export function* selectPresentedAccess(digest: string, now: Instant): Work<PresentedToken | null> {
  const row = yield* one(presentAccess, { digest, now });
  if (!row) return null;
  const found = toPresentedToken(row);
  const own = new Set(scopesOf(grantedScopes(row.payload)));
  const scopes = found.token.scopes.filter((scope) => own.has(scope));
  return { ...found, token: { ...found.token, scopes }, accessEndsAt: row.access_ends_at };
}
