import type { OneTimeCode } from "../../core/access/one-time-code.ts";
import { invitationMade } from "../../core/service-log/entries.ts";
import type { Act } from "../../core/service-log/entry.ts";
import { logAct } from "../service-log/log-act.ts";
import { endCodes, insertOneTimeCode } from "../../store/access/one-time-codes.ts";
import { oneTimeCodeTable } from "../../store/access/tables.ts";
import { type Work, run } from "../../store/engine/database.ts";

/** Replaces the account's codes for the same purpose, except invitations. */
export function* addOneTimeCode(code: OneTimeCode, digest: string, act?: Act): Work<void> {
  const { id, purpose, accountId } = code;
  if (purpose !== "invitation") yield* run(endCodes, { account: accountId, purpose });
  yield* run(insertOneTimeCode, { ...oneTimeCodeTable.toRow(code), digest, used_at: null });
  if (purpose === "invitation") yield* logAct(act, invitationMade(id));
}
