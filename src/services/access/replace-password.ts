import { passwordReset } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import { setHash } from "../../store/access/account-rows.ts";
import { endCodes } from "../../store/access/one-time-codes.ts";
import { endSessionsBut } from "./end-sessions.ts";
import { type Work, run } from "../../store/engine/database.ts";

/** Also ends all sessions but `keptSession`, and deletes all codes for a reset. */
export function* replacePassword(
  id: string,
  hash: string,
  keptSession: string | null,
  act?: Act,
): Work<void> {
  yield* run(endCodes, { account: id, purpose: "reset_password" });
  yield* run(setHash, { id, hash });
  yield* endSessionsBut(id, keptSession);
  yield* logAct(act, passwordReset(id));
}
