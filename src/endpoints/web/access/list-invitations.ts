import { selectInvitations } from "../../../store/access/one-time-codes.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { exampleInvitation, Invitation, showInvitation } from "./invitation.ts";

export const listInvitations = defineEndpoint({
  id: "accounts.list_invitations",
  method: "GET",
  path: "/account/invitations",
  params: {},
  access: { face: "web", who: "admin" },
  summary: "Invitations that nobody used yet, newest first.",
  input: z.object({}),
  output: z.object({ data: z.array(Invitation) }),
  errors: [],
  example: { input: {}, output: { data: [exampleInvitation] } },

  handle: async (_, { db, now }) => ({
    data: (await db.read(selectInvitations, now)).map(showInvitation),
  }),
});
