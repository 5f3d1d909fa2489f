import { deleteSession } from "../../../store/access/sessions.ts";
import { z } from "zod";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";

export const signOut = defineEndpoint({
  id: "sessions.sign_out",
  method: "POST",
  path: "/account/sign-out",
  params: {},
  access: { face: "web", who: "person" },
  summary: "End the session of this browser.",
  input: z.object({}),
  output: z.null(),
  success: [204],
  errors: [],
  idempotent: true,
  example: { input: {}, output: null },

  async handle(_, { db, caller }) {
    await db.write(deleteSession, caller.session.id, caller.account.id);
    return nothing();
  },
});
