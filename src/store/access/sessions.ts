import type { Session } from "../../core/access/session.ts";
import type { Account } from "../../core/access/account.ts";
import type { Instant } from "../../core/time.ts";
import { findAccount } from "./account-rows.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { placesOf, query } from "../engine/query.ts";
import type { RowOf } from "../engine/table.ts";
import { accountTable, sessionTable } from "./tables.ts";

const insert = query<RowOf<typeof sessionTable>>()((db, $) =>
  db.insertInto("session").values(placesOf(sessionTable.columns, $)),
);

const byDigest = query<{ digest: string; now: number }>()((db, $) =>
  db
    .selectFrom("session")
    .select(sessionTable.own)
    .where("digest", "=", $.digest)
    .where("expires_at", ">", $.now),
);

const markUsed = query<{ id: string; now: number; expires: number }>()((db, $) =>
  db.updateTable("session").set({ last_used_at: $.now, expires_at: $.expires }).where("id", "=", $.id),
);

const markProven = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("session").set({ proven_at: $.now }).where("id", "=", $.id),
);

const ofAccount = query<{ account: string; now: number }>()((db, $) =>
  db
    .selectFrom("session")
    .select(sessionTable.own)
    .where("account_id", "=", $.account)
    .where("expires_at", ">", $.now)
    .orderBy("last_used_at", "desc")
    .orderBy("id", "desc"),
);

const remove = query<{ id: string; account: string }>()((db, $) =>
  db.deleteFrom("session").where("id", "=", $.id).where("account_id", "=", $.account),
);

export const deleteOtherSessions = query<{ account: string; kept: string }>()((db, $) =>
  db.deleteFrom("session").where("account_id", "=", $.account).where("id", "<>", $.kept),
);

export function* insertSession(session: Session, digest: string): Work<void> {
  yield* run(insert, { ...sessionTable.toRow(session), digest });
}

/** The unexpired session with that secret, and its account as it is now. */
export function* selectPresentedSession(
  digest: string,
  now: Instant,
): Work<{ session: Session; account: Account } | null> {
  const row = yield* one(byDigest, { digest, now });
  const account = row && (yield* one(findAccount, { id: row.account_id }));
  return row && account
    ? { session: sessionTable.toRecord(row), account: accountTable.toRecord(account) }
    : null;
}

export function* updateSessionUsed(id: string, now: Instant, expiresAt: Instant): Work<void> {
  yield* run(markUsed, { id, now, expires: expiresAt });
}

export function* updateSessionProven(id: string, now: Instant): Work<void> {
  yield* run(markProven, { id, now });
}

export function* selectSessions(accountId: string, now: Instant): Work<Session[]> {
  return (yield* all(ofAccount, { account: accountId, now })).map(sessionTable.toRecord);
}

export function* deleteSession(id: string, accountId: string): Work<boolean> {
  return (yield* run(remove, { id, account: accountId })) > 0;
}
