import type { TimePosition } from "../../core/position.ts";
import { sql } from "kysely";
import type { SecurityRecord, SecurityRow } from "../../core/security-log/event.ts";
import { type Work, all, run } from "../engine/database.ts";
import { heldAccount } from "../access/held-account.ts";
import { fromTop, placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { securityLogTable } from "./security-log-table.ts";

const upsert = query<RowOf<typeof securityLogTable>>()((db, $) =>
  db
    .insertInto("security_log")
    .values(placesOf(securityLogTable.columns, $))
    .onConflict((conflict) =>
      conflict.columns(["at", "id"]).doUpdateSet((eb) => ({
        times: eb.ref("excluded.times"),
        last_at: eb.ref("excluded.last_at"),
      })),
    ),
);

const list = query<{ account: string | null; at: number; id: string; limit: number }>()((db, $) =>
  db
    .selectFrom("security_log as l")
    .leftJoin("account as a", "a.id", "l.account_id")
    .leftJoin("api_token as t", "t.id", "l.token_id")
    .select([...securityLogTable.of("l"), "l.token_id"])
    .select(["a.id as account_id", "a.email", "t.name as token_name"])
    .where(sql<boolean>`(cast(${$.account} as text) is null or l.account_id = cast(${$.account} as text))`)
    .where((row) => row(row.refTuple("l.at", "l.id"), "<", row.tuple($.at, $.id)))
    .orderBy("l.at", "desc")
    .orderBy("l.id", "desc")
    .limit($.limit),
);

const toRecord = (row: NonNullable<(typeof list)["types"]>["row"]): SecurityRecord =>
  Object.assign(securityLogTable.toRecord(row), {
    account: row.account_id === null || row.email === null ? null : { id: row.account_id, email: row.email },
    token: row.token_id === null ? null : { id: row.token_id, name: row.token_name ?? "" },
  });

/** Inserts a row; for a known row only count and last time are replaced. */
export function* saveSecurityRow(row: SecurityRow): Work<void> {
  yield* run(upsert, {
    ...securityLogTable.toRow(row),
    account_id: yield* heldAccount(row.accountId),
    token_id: row.tokenId,
  });
}

export function* insertSecurityRows(rows: readonly SecurityRow[]): Work<void> {
  for (const row of rows) yield* saveSecurityRow(row);
}

export function* selectSecurityLog(
  account: string | null,
  after: TimePosition | null,
  limit: number,
): Work<SecurityRecord[]> {
  return (yield* all(list, { account, ...(after ?? fromTop), limit })).map(toRecord);
}
