import type { Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { deleteInPortions } from "../server/delete-server.ts";
import { closeAccount, eraseAccount } from "./erase-account.ts";

/**
 * Deletes an account with all that is its; certified reports stay without their author. Where the account is
 * the last admin nothing happens, and the answer is false.
 */
export async function removeAccount(db: Database, accountId: string, now: Instant): Promise<boolean> {
  const servers = await db.write(closeAccount, accountId, now);
  if (servers === null) return false;
  // Servers are deleted in portions first, so that the step that deletes the account is short.
  for (const id of servers) for await (const _ of deleteInPortions(db, id, now));
  return await db.write(eraseAccount, accountId, now);
}
