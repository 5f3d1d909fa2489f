import { retractInvitation } from "../../../services/access/retract-invitation.ts";
import { z } from "zod";
import { adminAct } from "../../../contract/call/admin-act.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleInvitation } from "./invitation.ts";

export const withdrawInvitation = defineEndpoint({
  id: "accounts.withdraw_invitation",
  method: "DELETE",
  path: "/account/invitations/{invitation_id}",
  params: { invitation_id: "invitation_id" },
  access: { face: "web", who: "admin" },
  summary: "Withdraw an invitation.",
  input: z.object({ invitation_id: resourceIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: { input: { invitation_id: exampleInvitation.id }, output: null },

  async handle({ invitation_id }, { db, caller, now, found }) {
    found((await db.write(retractInvitation, invitation_id, now, adminAct({ caller, now }))) || null);
    return nothing();
  },
});
