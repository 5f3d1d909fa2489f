import { sql } from "kysely";
import type { Activity, ActivityRecord, ActivityStore } from "../core/access/activity.ts";
import type { ErrorCode } from "../core/errors.ts";
import { bulk, insertAll } from "./bulk.ts";
import { all, one, type Database } from "./database.ts";
import { fromTop, query } from "./query.ts";
import type { Tables } from "./schema.ts";

const columns = ["account_id", "at", "id", "token_id", "call", "status", "error", "times"] as const;

type Kept = Pick<Tables["activity"], (typeof columns)[number]>;

const save = bulk<Kept>(columns)((db, rows) => db.insertInto("activity").values(rows));

const findAccount = query<{ id: string }>()((db, $) =>
  db.selectFrom("account").select("id").where("id", "=", $.id),
);

/** A filter that is null is switched off. A token whose row is gone did what it did all the same. */
const list = query<{ account: string; token: string | null; at: number; id: string; limit: number }>()(
  (db, $) =>
    db
      .selectFrom("activity as a")
      .leftJoin("api_token as t", "t.id", "a.token_id")
      .select(["a.account_id", "a.at", "a.id", "a.token_id", "a.call", "a.status", "a.error", "a.times"])
      .select(["t.name", "t.kind"])
      .where("a.account_id", "=", $.account)
      .where(sql<boolean>`(cast(${$.token} as text) is null or a.token_id = cast(${$.token} as text))`)
      .where(sql<boolean>`(a.at, a.id) < (${$.at}, ${$.id})`)
      .orderBy("a.at", "desc")
      .orderBy("a.id", "desc")
      .limit($.limit),
);

type Row = NonNullable<(typeof list)["types"]>["row"];

const toRow = ({ accountId, at, id, tokenId, call, status, error, times }: Activity): Kept => ({
  account_id: accountId,
  at,
  id,
  token_id: tokenId,
  call,
  status,
  error,
  times,
});

const toRecord = (row: Row): ActivityRecord => ({
  id: row.id,
  accountId: row.account_id,
  tokenId: row.token_id,
  at: row.at,
  call: row.call,
  status: row.status,
  // Written by the door alone, from the closed list.
  error: row.error as ErrorCode | null,
  times: row.times,
  token: {
    id: row.token_id,
    name: row.name ?? "",
    kind: row.kind === "connector" ? "connector" : "token",
  },
});

export function activityStore(db: Database): ActivityStore {
  return {
    record: (activity) =>
      db.write("counted", function* () {
        const alive = new Set<string>();
        for (const id of new Set(activity.map(({ accountId }) => accountId)))
          if (yield* one(findAccount, { id })) alive.add(id);
        yield* insertAll(save, activity.filter(({ accountId }) => alive.has(accountId)).map(toRow));
      }),
    list: (account, token, after, limit) =>
      db.read(function* () {
        return (yield* all(list, { account, token, ...(after ?? fromTop), limit })).map(toRecord);
      }),
  };
}
