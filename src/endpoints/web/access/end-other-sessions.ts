import { endSessionsBut } from "../../../services/access/end-sessions.ts";
import { z } from "zod";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";

export const endOtherSessions = defineEndpoint({
  id: "sessions.end_others",
  method: "DELETE",
  path: "/account/sessions",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Sign every browser out but this one, and forget the browsers that signed in before.",
  input: z.object({}),
  output: z.null(),
  success: [204],
  errors: [],
  example: { input: {}, output: null },

  async handle(_, context) {
    const { db, caller } = context;
    await db.write(endSessionsBut, caller.account.id, caller.session.id);
    noteSecurity(context, "signed_out_everywhere");
    return nothing();
  },
});
