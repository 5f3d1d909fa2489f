import { forgetDevices } from "../../store/access/account-rows.ts";
import { deleteOtherSessions } from "../../store/access/sessions.ts";
import { type Step, type Result, run } from "../../store/engine/database.ts";

/** Ends every session of the account but one, null ends all; and forgets the browsers it remembered. */
export function* endSessionsBut(account: string, kept: string | null): Generator<Step, void, Result> {
  yield* run(forgetDevices, { id: account });
  yield* run(deleteOtherSessions, { account, kept: kept ?? "" });
}
