import { sql } from "kysely";
import type { SecurityLogStore, SecurityRecord, SecurityRow } from "../../core/security-log/event.ts";
import { all, run, type Database, type Result, type Step } from "../engine/database.ts";
import { heldAccount } from "../access/held-account.ts";
import { fromTop, placesOf, query } from "../engine/query.ts";
import type { Tables } from "../schema/tables.ts";

const columns = [
  "id",
  "at",
  "last_at",
  "times",
  "kind",
  "account_id",
  "address",
  "token_id",
  "detail",
] as const;
type Row = Pick<Tables["security_log"], (typeof columns)[number]>;

const upsert = query<Row>()((db, $) =>
  db
    .insertInto("security_log")
    .values(placesOf(columns, $))
    .onConflict((conflict) =>
      conflict.columns(["at", "id"]).doUpdateSet((eb) => ({
        times: eb.ref("excluded.times"),
        last_at: eb.ref("excluded.last_at"),
      })),
    ),
);

/** A filter that is null is switched off. */
const list = query<{ account: string | null; at: number; id: string; limit: number }>()((db, $) =>
  db
    .selectFrom("security_log as l")
    .leftJoin("account as a", "a.id", "l.account_id")
    .leftJoin("api_token as t", "t.id", "l.token_id")
    .select(["l.id", "l.at", "l.last_at", "l.times", "l.kind", "l.address", "l.token_id", "l.detail"])
    .select(["a.id as account_id", "a.email", "t.name as token_name"])
    .where(sql<boolean>`(cast(${$.account} as text) is null or l.account_id = cast(${$.account} as text))`)
    .where((row) => row(row.refTuple("l.at", "l.id"), "<", row.tuple($.at, $.id)))
    .orderBy("l.at", "desc")
    .orderBy("l.id", "desc")
    .limit($.limit),
);

const toRecord = (row: NonNullable<(typeof list)["types"]>["row"]): SecurityRecord => ({
  id: row.id,
  at: row.at,
  lastAt: row.last_at,
  times: row.times,
  kind: row.kind,
  address: row.address,
  detail: row.detail,
  account: row.account_id === null || row.email === null ? null : { id: row.account_id, email: row.email },
  token: row.token_id === null ? null : { id: row.token_id, name: row.token_name ?? "" },
});

/** Keeps one row within a unit of work; again with a higher number it takes the place of the first. */
export function* saveSecurityRow(row: SecurityRow): Generator<Step, void, Result> {
  yield* run(upsert, {
    id: row.id,
    at: row.at,
    last_at: row.lastAt,
    times: row.times,
    kind: row.kind,
    account_id: yield* heldAccount(row.accountId),
    address: row.address,
    token_id: row.tokenId,
    detail: row.detail,
  });
}

export const securityLogStore = (db: Database): SecurityLogStore => ({
  save: (rows) =>
    db.write("counted", function* () {
      for (const row of rows) yield* saveSecurityRow(row);
    }),
  list: (account, after, limit) =>
    db.read(function* () {
      return (yield* all(list, { account, ...(after ?? fromTop), limit })).map(toRecord);
    }),
});
