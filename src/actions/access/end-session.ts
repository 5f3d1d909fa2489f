import { action } from "../../contract/endpoint/action.ts";
import { deleteSession } from "../../store/access/sessions.ts";
import { resourceIdInput } from "../../core/id.ts";

export const endSession = action({
  id: "sessions.end",
  who: "person",
  input: { session_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ session_id }, { db, caller, found }) {
    found((await db.write(deleteSession, session_id, caller.account.id)) || null);
    return null;
  },
});
