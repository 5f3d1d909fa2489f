import type { SecondFactor } from "../../core/access/second-factor.ts";
import { secondFactorReset } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { deleteWrongFactors } from "../../store/access/wrong-factors.ts";
import { deletePasskeys } from "../../store/access/passkeys.ts";
import {
  deleteRecoveryCodes,
  deleteSecondFactor,
  hasSecondFactor,
  insertSecondFactor,
  replaceRecoveryCodes,
} from "../../store/access/second-factors.ts";
import type { Work } from "../../store/engine/database.ts";
import { lockAccount } from "../../store/server/locks.ts";
import { logAct } from "../service-log/log-act.ts";
import { endSessionsBut } from "./end-sessions.ts";

/** Switches codes as the second factor on, and ends every other session; false when they are on already. */
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

/** Switches codes off, and ends every session but one; passkeys stay. False when codes are off. */
export function* switchSecondFactorOff(accountId: string, keptSession: string): Work<boolean> {
  yield* lockAccount(accountId);
  if (!(yield* deleteSecondFactor(accountId))) return false;
  yield* endWithoutFactor(accountId);
  yield* endSessionsBut(accountId, keptSession);
  return true;
}

/** Takes codes and passkeys off an account, and ends every session; false when it has neither. */
export function* takeSecondFactorOff(accountId: string, act?: Act): Work<boolean> {
  yield* lockAccount(accountId);
  const hadCodes = yield* deleteSecondFactor(accountId);
  const hadPasskeys = yield* deletePasskeys(accountId);
  if (!hadCodes && !hadPasskeys) return false;
  yield* deleteRecoveryCodes(accountId);
  yield* deleteWrongFactors(accountId);
  yield* endSessionsBut(accountId, null);
  yield* logAct(act, secondFactorReset(accountId));
  return true;
}

/** Recovery codes end with the last of what they replace. */
export function* endWithoutFactor(accountId: string): Work<void> {
  if (!(yield* hasSecondFactor(accountId))) yield* deleteRecoveryCodes(accountId);
}
