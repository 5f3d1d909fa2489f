import type { Account } from "../../core/access/account.ts";
import { accountCreated } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import { insertSetUpRow, touchSetUpRow, findAnyAccount } from "../../store/access/account-entry.ts";
import { insertAccount } from "../../store/access/account-rows.ts";
import { type Work, run, one } from "../../store/engine/database.ts";

/** Returns false if there is an account already; concurrent calls wait for each other. */
export function* addFirstAccount(account: Account, passwordHash: string, act?: Act): Work<boolean> {
  yield* run(insertSetUpRow, { now: account.createdAt });
  yield* run(touchSetUpRow, { now: account.createdAt });
  if (yield* one(findAnyAccount, {})) return false;
  const made = yield* insertAccount(account, passwordHash);
  if (made) yield* logAct(act, accountCreated(account));
  return made;
}
