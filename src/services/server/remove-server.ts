import type { Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { removeInPortions } from "./delete-server.ts";
import { unlinkForDeletion } from "./unlink-from-account.ts";

/** Unlinks the server and deletes its data; its reports stay with their author. */
export async function removeServerOfAccount(
  db: Database,
  serverId: string,
  accountId: string,
  now: Instant,
): Promise<void> {
  await db.write(unlinkForDeletion, accountId, serverId, now);
  for await (const _ of removeInPortions(db, serverId, now));
}
