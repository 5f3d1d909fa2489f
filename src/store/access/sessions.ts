import type { Session } from "../../core/access/session.ts";
import type { SessionStore } from "../../core/access/store.ts";
import { findAccount, forgetDevices, toAccount } from "./account-rows.ts";
import { all, one, run, type Database, type Result, type Step } from "../engine/database.ts";
import { query } from "../engine/query.ts";
import type { Tables } from "../schema/tables.ts";

type Row = Tables["session"];

const toSession = (row: Omit<Row, "digest">): Session => ({
  id: row.id,
  accountId: row.account_id,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  userAgent: row.user_agent,
});

const columns = ["id", "account_id", "created_at", "last_used_at", "expires_at", "user_agent"] as const;

const insert = query<Row>()((db, $) =>
  db.insertInto("session").values({
    id: $.id,
    account_id: $.account_id,
    digest: $.digest,
    created_at: $.created_at,
    last_used_at: $.last_used_at,
    expires_at: $.expires_at,
    user_agent: $.user_agent,
  }),
);

const byDigest = query<{ digest: string; now: number }>()((db, $) =>
  db.selectFrom("session").select(columns).where("digest", "=", $.digest).where("expires_at", ">", $.now),
);

const markUsed = query<{ id: string; now: number; expires: number }>()((db, $) =>
  db.updateTable("session").set({ last_used_at: $.now, expires_at: $.expires }).where("id", "=", $.id),
);

const ofAccount = query<{ account: string; now: number }>()((db, $) =>
  db
    .selectFrom("session")
    .select(columns)
    .where("account_id", "=", $.account)
    .where("expires_at", ">", $.now)
    .orderBy("last_used_at", "desc")
    .orderBy("id", "desc"),
);

const remove = query<{ id: string; account: string }>()((db, $) =>
  db.deleteFrom("session").where("id", "=", $.id).where("account_id", "=", $.account),
);

const removeOthers = query<{ account: string; kept: string }>()((db, $) =>
  db.deleteFrom("session").where("account_id", "=", $.account).where("id", "<>", $.kept),
);

/** Ends every session of the account but one, null ends all; and forgets the browsers it remembered. */
export function* endSessionsBut(account: string, kept: string | null): Generator<Step, void, Result> {
  yield* run(forgetDevices, { id: account });
  yield* run(removeOthers, { account, kept: kept ?? "" });
}

export function sessionStore(db: Database): SessionStore {
  return {
    create: (session, digest) =>
      db.write("saved", function* () {
        yield* run(insert, {
          id: session.id,
          account_id: session.accountId,
          digest,
          created_at: session.createdAt,
          last_used_at: session.lastUsedAt,
          expires_at: session.expiresAt,
          user_agent: session.userAgent,
        });
      }),
    present: (digest, now) =>
      db.read(function* () {
        const row = yield* one(byDigest, { digest, now });
        const account = row && (yield* one(findAccount, { id: row.account_id }));
        return row && account ? { session: toSession(row), account: toAccount(account) } : null;
      }),
    markUsed: (id, now, expiresAt) =>
      db.write("counted", function* () {
        yield* run(markUsed, { id, now, expires: expiresAt });
      }),
    list: (accountId, now) =>
      db.read(function* () {
        return (yield* all(ofAccount, { account: accountId, now })).map(toSession);
      }),
    end: (id, accountId) =>
      db.write("saved", function* () {
        return (yield* run(remove, { id, account: accountId })) > 0;
      }),
    endOthers: (accountId, kept) => db.write("saved", () => endSessionsBut(accountId, kept)),
  };
}
