import { mostPasskeys, type Passkey } from "../../core/access/passkey.ts";
import { countPasskeys, deletePasskeyRow, insertPasskey } from "../../store/access/passkeys.ts";
import { hasSecondFactor, replaceRecoveryCodes } from "../../store/access/second-factors.ts";
import type { Work } from "../../store/engine/database.ts";
import { lockAccount } from "../../store/server/locks.ts";
import { endSessionsBut } from "./end-sessions.ts";
import { endWithoutFactor } from "./switch-second-factor.ts";

/** Ends all other sessions. Only the account's first second factor stores the recovery codes. */
export function* addPasskey(
  passkey: Passkey,
  codeDigests: readonly string[],
  keptSession: string,
): Work<"with_codes" | "added" | "full" | "known"> {
  const { accountId } = passkey;
  yield* lockAccount(accountId);
  if ((yield* countPasskeys(accountId)) >= mostPasskeys) return "full";
  const isFirst = !(yield* hasSecondFactor(accountId));
  if (!(yield* insertPasskey(passkey))) return "known";
  if (isFirst) yield* replaceRecoveryCodes(accountId, codeDigests);
  yield* endSessionsBut(accountId, keptSession);
  return isFirst ? "with_codes" : "added";
}

/** Also ends all other sessions. Returns false if the account has no such passkey. */
export function* removePasskey(accountId: string, id: string, keptSession: string): Work<boolean> {
  yield* lockAccount(accountId);
  if (!(yield* deletePasskeyRow(accountId, id))) return false;
  yield* endWithoutFactor(accountId);
  yield* endSessionsBut(accountId, keptSession);
  return true;
}
