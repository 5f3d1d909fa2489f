import { forgetDevices } from "../../store/access/account-rows.ts";
import { deleteOtherSessions } from "../../store/access/sessions.ts";
import { type Step, type Result, run } from "../../store/engine/database.ts";

/** Ends all sessions but `kept` (null: all), and forgets the remembered browsers. */
export function* endSessionsBut(account: string, kept: string | null): Generator<Step, void, Result> {
  yield* run(forgetDevices, { id: account });
  yield* run(deleteOtherSessions, { account, kept: kept ?? "" });
}
