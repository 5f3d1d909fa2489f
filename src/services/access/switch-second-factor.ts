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

/** Ends all other sessions. Returns false if codes are already on. */
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

/** Ends all other sessions; passkeys stay. Returns false if codes are already off. */
export function* switchSecondFactorOff(accountId: string, keptSession: string): Work<boolean> {
  yield* lockAccount(accountId);
  if (!(yield* deleteSecondFactor(accountId))) return false;
  yield* endWithoutFactor(accountId);
  yield* endSessionsBut(accountId, keptSession);
  return true;
}

/** Removes codes and passkeys, and ends all sessions. Returns false if the account has neither. */
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

/** Recovery codes are deleted with the last second factor. */
export function* endWithoutFactor(accountId: string): Work<void> {
  if (!(yield* hasSecondFactor(accountId))) yield* deleteRecoveryCodes(accountId);
}
