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
 * Locks the account's row by writing it, so that concurrent creations run one after the other and counted
 * limits hold. Throws if the account is deleted.
 */
export function* lockAccount(id: string): Generator<Step, void, Result> {
  if ((yield* run(touchAccount, { id })) === 0) throw accountGone();
}

const lockServerRow = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("server").select("account_id").where("id", "=", $.id)),
);

/** Serializes all changes of a server's rules, alerts and maintenance. */
export function* lockServer(id: string): Generator<Step, void, Result> {
  yield* one(lockServerRow, { id });
}

/** Locks the server; returns its account, null if the server is unlinked or deleted. */
export function* holdLinked(id: string): Generator<Step, string | null, Result> {
  return (yield* one(lockServerRow, { id }))?.account_id ?? null;
}

/** For messages of game servers. Throws revokedCredential if the server was unlinked meanwhile. */
export function* requireLinked(id: string): Generator<Step, void, Result> {
  if ((yield* holdLinked(id)) === null) throw revokedCredential();
}

/** Locks the server. Throws notFound if it was unlinked or deleted meanwhile. */
export function* requireServer(id: string): Generator<Step, void, Result> {
  if ((yield* holdLinked(id)) === null) throw notFound();
}

/** Locks the server. Throws notFound if it is no longer the account's. */
export function* requireServerOf(account: string, id: string): Generator<Step, void, Result> {
  if ((yield* holdLinked(id)) !== account) throw notFound();
}
