import { deleteDueServer } from "../server/delete-server.ts";
import { unlinkForDeletion } from "../server/unlink-from-account.ts";
import {
  endAdminRole,
  endSessionsOf,
  lockAccountRow,
  lockAdmins,
  revokeTokensOf,
  serversLinkedBy,
  stopKeepingServer,
} from "../../store/access/leaving.ts";
import { type Work, all, run, Undo } from "../../store/engine/database.ts";
import { onDeleteAccount } from "../../store/server/deletion-rules.ts";
import { deletePositionsOf } from "../../store/monitoring/monitored-positions.ts";
import { lockAccount } from "../../store/server/locks.ts";

function* stepDown(accountId: string): Work<boolean> {
  const admins = yield* all(lockAdmins, {});
  if (!admins.some(({ id }) => id === accountId)) return true;
  if (admins.length === 1) return false;
  yield* run(endAdminRole, { id: accountId });
  return true;
}

/** Ends sessions and tokens, unlinks the servers, and returns their ids; null for the last admin. */
export function* closeAccount(accountId: string, now: number): Work<string[]> {
  if (!(yield* stepDown(accountId))) throw new Undo(null);
  yield* lockAccount(accountId);
  yield* run(endSessionsOf, { account: accountId });
  yield* run(revokeTokensOf, { account: accountId, now });
  // All at once: removing servers one by one would shift all newer ones each time.
  yield* run(deletePositionsOf, { account: accountId });
  const servers = yield* all(serversLinkedBy, { account: accountId });
  for (const { id, account_id } of servers) {
    if (account_id === accountId) yield* unlinkForDeletion(accountId, id, now);
    else yield* run(stopKeepingServer, { id, now });
  }
  return servers.map(({ id }) => id);
}

/** Deletes the account with all its rows. A write that refers to it waits, and then finds it gone. */
export function* eraseAccount(accountId: string, now: number): Work<boolean> {
  yield* all(lockAccountRow, { id: accountId });
  for (const id of yield* closeAccount(accountId, now)) yield* deleteDueServer(id, now);
  for (const statement of onDeleteAccount) yield* run(statement, { id: accountId, now });
  return true;
}
