import type { TimePosition } from "../../core/position.ts";
import { sql } from "kysely";
import type { ActiveToken, ActivityRecord } from "../../core/access/activity.ts";
import { bulk } from "../engine/bulk.ts";
import { type Work, all } from "../engine/database.ts";
import { fromTop, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { activityTable } from "./tables.ts";
import { tokenClient } from "./tokens.ts";

export const insertActivityRows = bulk<RowOf<typeof activityTable>>(activityTable.columns)((db, rows) =>
  db.insertInto("activity").values(rows),
);

/** Locks an account against deletion. If its deletion is in progress, this waits, and finds nothing. */
export const accountThatStays = query<{ id: string }>()((db, $, dialect) => {
  const found = db.selectFrom("account").select("id").where("id", "=", $.id);
  return dialect === "postgres" ? found.forKeyShare() : found;
});

/** A null filter is off. Entries of a token whose row is deleted are still listed. */
const list = query<{ account: string; token: string | null; at: number; id: string; limit: number }>()(
  (db, $) =>
    db
      .selectFrom("activity as a")
      .leftJoin("api_token as t", "t.id", "a.token_id")
      .select(activityTable.of("a"))
      .select(["t.name", "t.kind", "t.client_name", "t.client_host"])
      .where("a.account_id", "=", $.account)
      .where(sql<boolean>`(cast(${$.token} as text) is null or a.token_id = cast(${$.token} as text))`)
      .where(sql<boolean>`(a.at, a.id) < (${$.at}, ${$.id})`)
      .orderBy("a.at", "desc")
      .orderBy("a.id", "desc")
      .limit($.limit),
);

const tokens = query<{ account: string }>()((db, $) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("activity")
        .select("token_id")
        .select((each) => each.fn.max<number>("at").as("last_at"))
        .where("account_id", "=", $.account)
        .groupBy("token_id")
        .as("a"),
    )
    .leftJoin("api_token as t", "t.id", "a.token_id")
    .select(["a.token_id", "a.last_at", "t.name", "t.revoked_at"])
    .orderBy("a.last_at", "desc")
    .orderBy("a.token_id", "desc"),
);

type Row = NonNullable<(typeof list)["types"]>["row"];

const toRecord = (row: Row): ActivityRecord =>
  Object.assign(activityTable.toRecord(row), {
    token: {
      id: row.token_id,
      name: row.name ?? "",
      kind: row.kind === "connector" ? ("connector" as const) : ("token" as const),
      client: tokenClient(row),
    },
  });

type ActiveRow = NonNullable<(typeof tokens)["types"]>["row"];

const toActive = (row: ActiveRow): ActiveToken => ({
  id: row.token_id,
  name: row.name ?? "",
  revokedAt: row.revoked_at,
  lastAt: row.last_at,
});

export function* selectActivity(
  account: string,
  token: string | null,
  after: TimePosition | null,
  limit: number,
): Work<ActivityRecord[]> {
  return (yield* all(list, { account, token, ...(after ?? fromTop), limit })).map(toRecord);
}

/** Tokens with kept entries, the most recently active first. */
export function* selectActiveTokens(account: string): Work<ActiveToken[]> {
  return (yield* all(tokens, { account })).map(toActive);
}
