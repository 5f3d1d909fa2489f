import fc from "fast-check";
import { sql } from "kysely";
import { all, one, run, runUnread, Undo, type Work } from "../../../src/store/engine/database.ts";
import { forUpdate, placesOf, query } from "../../../src/store/engine/query.ts";

/** A row of what a test writes: `kind` says whose it is. */
type Row = { kind: string; key: string; opened_at: number; used: number };
const columns = ["kind", "key", "opened_at", "used"] as const;

export const hold = query<{ kind: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db.selectFrom("rate_window").select("used").where("kind", "=", $.kind).where("key", "=", "lock"),
  ),
);
export const insert = query<Row>()((db, $) => db.insertInto("rate_window").values(placesOf(columns, $)));
const insertNew = query<Row>()((db, $) =>
  db
    .insertInto("rate_window")
    .values(placesOf(columns, $))
    .onConflict((conflict) => conflict.columns(["kind", "key"]).doNothing()),
);
const put = query<Row>()((db, $) =>
  db
    .insertInto("rate_window")
    .values(placesOf(columns, $))
    .onConflict((conflict) =>
      conflict.columns(["kind", "key"]).doUpdateSet({ used: (eb) => eb.ref("excluded.used") }),
    ),
);
export const add = query<{ kind: string; key: string; more: number }>()((db, $) =>
  db
    .updateTable("rate_window")
    .set((eb) => ({ used: eb("used", "+", $.more) }))
    .where("kind", "=", $.kind)
    .where("key", "=", $.key),
);
/** Every unit of a group meets the same row. */
const addShared = query<{ more: number; key: string }>()((db, $) =>
  db
    .updateTable("rate_window")
    .set((eb) => ({ used: eb("used", "+", $.more) }))
    .where("key", "=", $.key),
);
const drop = query<{ kind: string; key: string }>()((db, $) =>
  db.deleteFrom("rate_window").where("kind", "=", $.kind).where("key", "=", $.key),
);
export const listed = query<{ kind: string }>()((db, $) =>
  db
    .selectFrom("rate_window")
    .select(["key", "used"])
    .where("kind", "=", $.kind)
    .orderBy("key", "desc")
    .limit(3),
);
export const everything = query<Record<string, never>>()((db) =>
  db.selectFrom("rate_window").select(columns).orderBy("kind").orderBy("key"),
);
export const used = query<{ kind: string }>()((db, $) =>
  db.selectFrom("rate_window").select("used").where("kind", "=", $.kind).where("key", "=", "lock"),
);
/** When the statement reached PostgreSQL, and in which transaction it runs. */
export const traced = query<{ kind: string }>()((db, $) =>
  db
    .selectFrom("rate_window")
    .select([
      sql<string>`cast(statement_timestamp() as text)`.as("sent"),
      sql<string>`cast(pg_current_xact_id() as text)`.as("transaction"),
    ])
    .where("kind", "=", $.kind)
    .where("key", "=", "lock"),
);
export const clear = query<Record<string, never>>()((db) => db.deleteFrom("rate_window"));

type Act = readonly [
  "send" | "insert" | "insertNew" | "put" | "add" | "drop" | "list" | "share",
  key: string,
];
export interface Plan {
  readonly kind: string;
  readonly acts: readonly Act[];
  readonly end: "answers" | "undoes" | "throws";
}

export const kinds = ["k'1", 'k"2', "k\\3", "k,4", "k{5}", "gone"];

/** A unit of work that answers what its statements found and changed. */
export function* carryOut({ kind, acts, end }: Plan): Work<string> {
  const seen: unknown[] = [];
  if ((yield* one(hold, { kind })) === null) throw new RangeError("nothing to hold");
  for (const [act, key] of acts) {
    const row = { kind, key, opened_at: 5, used: acts.length };
    if (act === "list") seen.push(yield* all(listed, { kind }));
    else if (act === "send") yield* runUnread(insert, row);
    else if (act === "insert") seen.push(yield* run(insert, row));
    else if (act === "insertNew") seen.push(yield* run(insertNew, row));
    else if (act === "put") seen.push(yield* run(put, row));
    else if (act === "add") seen.push(yield* run(add, { kind, key, more: 2 }));
    else if (act === "drop") seen.push(yield* run(drop, { kind, key }));
    else seen.push(yield* run(addShared, { key: "shared", more: 1 }));
  }
  if (end === "throws") throw new RangeError(`thrown after ${JSON.stringify(seen)}`);
  if (end === "undoes") throw new Undo(`undone ${JSON.stringify(seen)}`);
  return JSON.stringify(seen);
}

export const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom(...kinds),
  acts: fc.array(
    fc.tuple(
      fc.constantFrom<Act[0]>(
        "send",
        "send",
        "insert",
        "insertNew",
        "insertNew",
        "put",
        "add",
        "add",
        "drop",
        "list",
        "share",
      ),
      fc.constantFrom("a", "b", 'Füße, "c\\{}" 🦊'),
    ),
    { maxLength: 6 },
  ),
  end: fc.constantFrom("answers", "answers", "answers", "answers", "undoes", "throws"),
});

const code = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String((error as Error).message);
export const outcome = (settled: PromiseSettledResult<string>): string =>
  settled.status === "fulfilled" ? settled.value : code(settled.reason);
