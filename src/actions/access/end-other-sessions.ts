import { action } from "../../contract/endpoint/action.ts";
import { endSessionsBut } from "../../services/access/end-sessions.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";

/** Also forgets the browsers that signed in before. */
export const endOtherSessions = action({
  id: "sessions.end_others",
  who: "person",
  errors: [],

  async run(_, context) {
    const { db, caller } = context;
    await db.write(endSessionsBut, caller.account.id, caller.session.id);
    noteSecurity(context, "signed_out_everywhere");
    return null;
  },
});
