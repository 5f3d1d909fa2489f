import { restorableMs, type LeavingStore } from "../../core/server/leaving.ts";
import { all, run, Undo, type Database, type Result, type Step } from "../../store/engine/database.ts";
import { onDeleteAccount } from "../../store/server/deletion-rules.ts";
import { lockAccount, requireServerOf } from "../../store/server/locks.ts";
import { forUpdate, query } from "../../store/engine/query.ts";
import { relink } from "./relink-installation.ts";
import { removeInPortions, removeServer } from "./delete-server.ts";
import { leaveAccount, releaseInstallation, type Leaving } from "./leave-account.ts";

const serversOf = query<{ account: string }>()((db, $) =>
  db.selectFrom("server").select(["id", "account_id"]).where("linked_by", "=", $.account).orderBy("id"),
);

const lockAdmins = query<Record<string, never>>()((db, _, dialect) =>
  forUpdate(dialect, db.selectFrom("account").select("id").where("role", "=", "admin").orderBy("id")),
);

const makeUser = query<{ id: string }>()((db, $) =>
  db.updateTable("account").set({ role: "user" }).where("id", "=", $.id),
);

const giveUp = query<{ id: string; now: number }>()((db, $) =>
  db.updateTable("server").set({ kept_until: $.now }).where("id", "=", $.id),
);

const endSessions = query<{ account: string }>()((db, $) =>
  db.deleteFrom("session").where("account_id", "=", $.account),
);

const endTokens = query<{ account: string; now: number }>()((db, $) =>
  db
    .updateTable("api_token")
    .set({ revoked_at: $.now })
    .where("account_id", "=", $.account)
    .where("revoked_at", "is", null),
);

const lockWhole = query<{ id: string }>()((db, $, dialect) => {
  const select = db.selectFrom("account").select("id").where("id", "=", $.id);
  return dialect === "postgres" ? select.forUpdate() : select;
});

type Done = Generator<Step, void, Result>;

/** Takes one of an account's servers out of it. */
function* unlink(accountId: string, leaving: Leaving): Done {
  yield* lockAccount(accountId);
  yield* requireServerOf(accountId, leaving.serverId);
  yield* leaveAccount(leaving);
}

/** Nobody brings it back: it is deleted as soon as somebody gets to it. */
function* doom(accountId: string, serverId: string, now: number): Done {
  yield* unlink(accountId, { serverId, keptUntil: now, silently: true, now });
  yield* releaseInstallation(serverId);
}

/** Whether an account may go; it is no admin any more then, so that no two admins leave each other alone. */
function* stepDown(accountId: string): Generator<Step, boolean, Result> {
  const admins = yield* all(lockAdmins, {});
  if (!admins.some(({ id }) => id === accountId)) return true;
  if (admins.length === 1) return false;
  yield* run(makeUser, { id: accountId });
  return true;
}

/** Everything of an account that acts or is seen ends; its servers are left to be deleted, and answered. */
function* close(accountId: string, now: number): Generator<Step, string[], Result> {
  if (!(yield* stepDown(accountId))) throw new Undo(null);
  yield* lockAccount(accountId);
  yield* run(endSessions, { account: accountId });
  yield* run(endTokens, { account: accountId, now });
  const servers = yield* all(serversOf, { account: accountId });
  for (const { id, account_id } of servers) {
    if (account_id === accountId) yield* doom(accountId, id, now);
    else yield* run(giveUp, { id, now });
  }
  return servers.map(({ id }) => id);
}

/** All that is left of an account, in one step. What would come to refer to it meanwhile waits, and finds it gone. */
function* erase(accountId: string, now: number): Generator<Step, boolean, Result> {
  yield* all(lockWhole, { id: accountId });
  for (const id of yield* close(accountId, now)) yield* removeServer(id, now);
  for (const goes of onDeleteAccount) yield* run(goes, { id: accountId, now });
  return true;
}

export function leavingStore(db: Database): LeavingStore {
  const remove = async (id: string, now: number): Promise<void> => {
    for await (const _ of removeInPortions(db, id, now));
  };
  return {
    unlink: (serverId, accountId, now) =>
      db.write("saved", () =>
        unlink(accountId, { serverId, keptUntil: now + restorableMs, silently: false, now }),
      ),
    remove: async (serverId, accountId, now) => {
      await db.write("saved", () => doom(accountId, serverId, now));
      await remove(serverId, now);
    },
    relink: (request) => db.write("saved", () => relink(request)),
    removeAccount: async (accountId, now) => {
      const servers = await db.write<string[] | null>("saved", () => close(accountId, now));
      if (servers === null) return false;
      // What may be much goes in portions first, so that nobody waits for the step that deletes the account.
      for (const id of servers) await remove(id, now);
      return await db.write("saved", () => erase(accountId, now));
    },
  };
}
