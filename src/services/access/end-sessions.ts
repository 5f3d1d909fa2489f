import { forgetDevices } from "../../store/access/account-rows.ts";
import { deleteOtherSessions } from "../../store/access/sessions.ts";
import { type Work, run } from "../../store/engine/database.ts";

/** Ends all sessions but `kept` (null: all), and forgets the remembered browsers. */
export function* endSessionsBut(account: string, kept: string | null): Work<void> {
  yield* run(forgetDevices, { id: account });
  yield* run(deleteOtherSessions, { account, kept: kept ?? "" });
}
