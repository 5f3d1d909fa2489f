import type { Account } from "../../core/access/account.ts";
import { accountCreated } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import { insertAccount } from "../../store/access/account-rows.ts";
import type { Work } from "../../store/engine/database.ts";

/** Returns false if the e-mail address is taken (compared without case). */
export function* addAccount(account: Account, passwordHash: string | null, act?: Act): Work<boolean> {
  const made = yield* insertAccount(account, passwordHash);
  if (made) yield* logAct(act, accountCreated(account));
  return made;
}
