import { emailVerified } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import { holdAccount, setVerified } from "../../store/access/account-rows.ts";
import { type Work, one, run } from "../../store/engine/database.ts";

/** Only a first verification is logged. */
export function* verifyEmailOf(id: string, verified: boolean, act?: Act): Work<void> {
  const before = yield* one(holdAccount, { id });
  yield* run(setVerified, { id, verified: Number(verified) });
  if (verified && before?.email_verified === 0) yield* logAct(act, emailVerified(id));
}
