import { action } from "../../contract/endpoint/action.ts";
import { selectInvitations } from "../../store/access/one-time-codes.ts";
import { showInvitation } from "./invitation.ts";

export const listInvitations = action({
  id: "accounts.list_invitations",
  who: "admin",
  errors: [],

  run: async (_, { db, now }) => ({
    data: (await db.read(selectInvitations, now)).map(showInvitation),
  }),
});
