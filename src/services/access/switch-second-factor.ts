import type { SecondFactor } from "../../core/access/second-factor.ts";
import { secondFactorReset } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import {
  deleteSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
} from "../../store/access/second-factors.ts";
import type { Work } from "../../store/engine/database.ts";
import { lockAccount } from "../../store/server/locks.ts";
import { logAct } from "../service-log/log-act.ts";
import { endSessionsBut } from "./end-sessions.ts";

/** Switches the second factor on, and ends every other session; false when it is on already. */
export function* switchSecondFactorOn(
  factor: SecondFactor,
  codeDigests: readonly string[],
  keptSession: string,
): Work<boolean> {
  const { accountId } = factor;
  yield* lockAccount(accountId);
  if (!(yield* insertSecondFactor(factor))) return false;
  yield* replaceRecoveryCodes(accountId, codeDigests);
  yield* endSessionsBut(accountId, keptSession);
  return true;
}

/** Switches it off, and ends every session but one, null ends all; false when the account has none. */
export function* switchSecondFactorOff(
  accountId: string,
  keptSession: string | null,
  act?: Act,
): Work<boolean> {
  yield* lockAccount(accountId);
  if (!(yield* deleteSecondFactor(accountId))) return false;
  yield* endSessionsBut(accountId, keptSession);
  yield* logAct(act, secondFactorReset(accountId));
  return true;
}
