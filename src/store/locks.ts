import { one, run, type Result, type Step } from "./database.ts";
import { forUpdate, query } from "./query.ts";

const touchAccount = query<{ id: string }>()((db, $) =>
  db
    .updateTable("account")
    .set((eb) => ({ role: eb.ref("role") }))
    .where("id", "=", $.id),
);

/**
 * Makes two creations of one account wait for each other, so that a limit counted in one holds: writing the
 * account's row locks it until the transaction ends.
 */
export function* lockAccount(id: string): Generator<Step, void, Result> {
  yield* run(touchAccount, { id });
}

const lockServerRow = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("server").select("id").where("id", "=", $.id)),
);

/** Everything about a server's rules, alerts and maintenance waits for this, so that no two evaluations cross. */
export function* lockServer(id: string): Generator<Step, void, Result> {
  yield* one(lockServerRow, { id });
}
