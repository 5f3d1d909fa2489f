import type { Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { deleteInPortions } from "../server/delete-server.ts";
import { closeAccount, eraseAccount } from "./erase-account.ts";

/** Certified reports stay without author. Does nothing and returns false for the last admin. */
export async function removeAccount(db: Database, accountId: string, now: Instant): Promise<boolean> {
  const servers = await db.write(closeAccount, accountId, now);
  if (servers === null) return false;
  // Deletes the servers in portions first, so that the account's own transaction is short.
  for (const id of servers) for await (const _ of deleteInPortions(db, id, now));
  return await db.write(eraseAccount, accountId, now);
}
