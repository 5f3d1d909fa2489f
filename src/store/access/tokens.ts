import type { Instant } from "../../core/time.ts";
import { sql, type InferResult } from "kysely";
import type { ApiToken, ListedToken, PresentedToken, TokenClient } from "../../core/access/account.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { placesOf, query, type Builder } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { accountTable, apiTokenTable, scopesOf } from "./tables.ts";

export const insertToken = query<RowOf<typeof apiTokenTable>>()((db, $) =>
  db.insertInto("api_token").values(placesOf(apiTokenTable.columns, $)),
);

export const countActiveTokens = query<{ account: string; now: number }>()((db, $) =>
  db
    .selectFrom("api_token")
    .select((eb) => eb.fn.countAll<number>().as("active"))
    .where("account_id", "=", $.account)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", $.now),
);

/**
 * A token, its owner, and the number of the owner's newer active tokens (by creation time, then id). One
 * statement, so that permissions and limit come from one moment.
 */
export const presentedTokens = (db: Builder, now: number) =>
  db
    .selectFrom("api_token as t")
    .innerJoin("account as a", "a.id", "t.account_id")
    .select([
      "t.id as token_id",
      "t.name",
      "t.kind",
      "t.scopes",
      "t.created_at as token_created_at",
      "t.expires_at",
      "t.revoked_at",
      "t.last_used_at",
      "t.client_name",
      "a.id",
      "a.email",
      "a.email_verified",
      "a.plan",
      "a.role",
      "a.created_at",
    ])
    .select((eb) =>
      eb
        .selectFrom("api_token as n")
        .select((inner) => inner.fn.countAll<number>().as("count"))
        .whereRef("n.account_id", "=", "t.account_id")
        .where("n.revoked_at", "is", null)
        .where("n.expires_at", ">", now)
        .where(sql<boolean>`(n.created_at, n.id) > (t.created_at, t.id)`)
        .as("newer_active"),
    );

type PresentedRow = InferResult<ReturnType<typeof presentedTokens>>[number];

export function toPresentedToken(row: PresentedRow): PresentedToken {
  const token: ApiToken = {
    id: row.token_id,
    accountId: row.id,
    name: row.name,
    kind: row.kind === "connector" ? "connector" : "token",
    scopes: scopesOf(row.scopes),
    createdAt: row.token_created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
  return {
    token,
    account: accountTable.toRecord(row),
    newerActive: row.newer_active ?? 0,
    client: row.client_name,
    accessEndsAt: null,
  };
}

const present = query<{ digest: string; now: number }>()((db, $) =>
  presentedTokens(db, $.now).where("t.digest", "=", $.digest),
);

const list = query<{ account: string; from: number }>()((db, $) =>
  db
    .selectFrom("api_token")
    .select([...apiTokenTable.own, "client_name", "client_host"])
    .where("account_id", "=", $.account)
    .where("revoked_at", "is", null)
    .where("expires_at", ">=", $.from)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc"),
);

export const findTokenOf = query<{ account: string; id: string }>()((db, $) =>
  db.selectFrom("api_token").select("id").where("id", "=", $.id).where("account_id", "=", $.account),
);

export const findActiveToken = query<{ account: string; id: string; now: number }>()((db, $) =>
  db
    .selectFrom("api_token")
    .select(["scopes", "client_id"])
    .where("id", "=", $.id)
    .where("account_id", "=", $.account)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", $.now),
);

export const updateRights = query<{ id: string; scopes: string }>()((db, $) =>
  db.updateTable("api_token").set({ scopes: $.scopes }).where("id", "=", $.id),
);

export const setTokenRevoked = query<{ id: string; now: number }>()((db, $) =>
  db
    .updateTable("api_token")
    .set({ revoked_at: $.now })
    .where("id", "=", $.id)
    .where("revoked_at", "is", null),
);

const markUsed = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("api_token").set({ last_used_at: $.now }).where("id", "=", $.id),
);

type ListedRow = NonNullable<(typeof list)["types"]>["row"];

const toListedToken = (row: ListedRow): ListedToken =>
  Object.assign(apiTokenTable.toRecord(row), { client: tokenClient(row) });

/** The client of a connector; null for a plain token. */
export const tokenClient = (row: {
  readonly client_name: string | null;
  readonly client_host: string | null;
}): TokenClient | null =>
  row.client_name === null ? null : { name: row.client_name, host: row.client_host };

export function* selectPresentedToken(digest: string, now: Instant): Work<PresentedToken | null> {
  const row = yield* one(present, { digest, now });
  return row && toPresentedToken(row);
}

/** Tokens that are not revoked and expire at `from` or later, newest first. */
export function* selectTokens(account: string, from: Instant): Work<ListedToken[]> {
  return (yield* all(list, { account, from })).map(toListedToken);
}

export function* updateTokenRevoked(id: string, now: Instant): Work<void> {
  yield* run(setTokenRevoked, { id, now });
}

export function* updateTokenUsed(id: string, now: Instant): Work<void> {
  yield* run(markUsed, { id, now });
}
