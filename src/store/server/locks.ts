import { accountGone, notFound, revokedCredential } from "../../core/errors.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { forUpdate, query } from "../engine/query.ts";

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
  if ((yield* run(touchAccount, { id })) === 0) throw accountGone();
}

const lockServerRow = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("server").select("account_id").where("id", "=", $.id)),
);

/** Everything about a server's rules, alerts and maintenance waits for this, so that no two evaluations cross. */
export function* lockServer(id: string): Generator<Step, void, Result> {
  yield* one(lockServerRow, { id });
}

/** The same, answering whom the server is linked to; null when it was unlinked or is gone. */
export function* holdLinked(id: string): Generator<Step, string | null, Result> {
  return (yield* one(lockServerRow, { id }))?.account_id ?? null;
}

/** For what a game server sends: it may have been unlinked since its credential was looked at. */
export function* requireLinked(id: string): Generator<Step, void, Result> {
  if ((yield* holdLinked(id)) === null) throw revokedCredential();
}

/** For what is asked of a server that was found a moment ago. */
export function* requireServer(id: string): Generator<Step, void, Result> {
  if ((yield* holdLinked(id)) === null) throw notFound();
}

/** For what an account asks of a server: it may have left the account since it was found there. */
export function* requireServerOf(account: string, id: string): Generator<Step, void, Result> {
  if ((yield* holdLinked(id)) !== account) throw notFound();
}
