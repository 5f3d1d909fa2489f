import { accountGone, notFound, revokedCredential } from "../../core/errors.ts";
import { type Work, one, run } from "../engine/database.ts";
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
export function* lockAccount(id: string): Work<void> {
  if ((yield* run(touchAccount, { id })) === 0) throw accountGone();
}

const lockServerRow = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("server").select("account_id").where("id", "=", $.id)),
);

/** Serializes all changes of a server's rules, alerts and maintenance. */
export function* lockServer(id: string): Work<void> {
  yield* one(lockServerRow, { id });
}

/** Locks the server; returns its account, null if the server is unlinked or deleted. */
export function* holdLinked(id: string): Work<string | null> {
  return (yield* one(lockServerRow, { id }))?.account_id ?? null;
}

/** For messages of game servers. Throws revokedCredential if the server was unlinked meanwhile. */
export function* requireLinked(id: string): Work<void> {
  if ((yield* holdLinked(id)) === null) throw revokedCredential();
}

/** Locks the server. Throws notFound if it was unlinked or deleted meanwhile. */
export function* requireServer(id: string): Work<void> {
  if ((yield* holdLinked(id)) === null) throw notFound();
}

/** Locks the server. Throws notFound if it is no longer the account's. */
export function* requireServerOf(account: string, id: string): Work<void> {
  if ((yield* holdLinked(id)) !== account) throw notFound();
}
