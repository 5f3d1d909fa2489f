import { action } from "../../contract/endpoint/action.ts";
import { deleteSession } from "../../store/access/sessions.ts";

export const signOut = action({
  id: "sessions.sign_out",
  who: "person",
  errors: [],

  async run(_, { db, caller }) {
    await db.write(deleteSession, caller.session.id, caller.account.id);
    return null;
  },
});
