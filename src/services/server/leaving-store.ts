import { restorableMs, type LeavingStore } from "../../core/server/leaving.ts";
import { closeAccount, eraseAccount } from "../access/erase-account.ts";
import { removeInPortions } from "./delete-server.ts";
import { relink } from "./relink-installation.ts";
import { unlinkForDeletion, unlinkFromAccount } from "./unlink-from-account.ts";
import type { Database } from "../../store/engine/database.ts";

export function leavingStore(db: Database): LeavingStore {
  const remove = async (id: string, now: number): Promise<void> => {
    for await (const _ of removeInPortions(db, id, now));
  };
  return {
    unlink: (serverId, accountId, now) =>
      db.write("saved", () =>
        unlinkFromAccount(accountId, { serverId, keptUntil: now + restorableMs, silently: false, now }),
      ),
    remove: async (serverId, accountId, now) => {
      await db.write("saved", () => unlinkForDeletion(accountId, serverId, now));
      await remove(serverId, now);
    },
    relink: (request) => db.write("saved", () => relink(request)),
    removeAccount: async (accountId, now) => {
      const servers = await db.write<string[] | null>("saved", () => closeAccount(accountId, now));
      if (servers === null) return false;
      // Servers are deleted in portions first, so that the step that deletes the account is short.
      for (const id of servers) await remove(id, now);
      return await db.write("saved", () => eraseAccount(accountId, now));
    },
  };
}
