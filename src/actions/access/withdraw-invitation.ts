import { action } from "../../contract/endpoint/action.ts";
import { retractInvitation } from "../../services/access/retract-invitation.ts";
import { adminAct } from "../admin-log-entry.ts";
import { resourceIdInput } from "../../core/id.ts";

export const withdrawInvitation = action({
  id: "accounts.withdraw_invitation",
  who: "admin",
  input: { invitation_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ invitation_id }, { db, caller, now, found }) {
    found((await db.write(retractInvitation, invitation_id, now, adminAct({ caller, now }))) || null);
    return null;
  },
});
