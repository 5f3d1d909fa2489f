import { deleteSession } from "../../../store/access/sessions.ts";
import { z } from "zod";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { resourceIdInput } from "../../../core/id.ts";

export const endSession = defineEndpoint({
  id: "sessions.end",
  method: "DELETE",
  path: "/account/sessions/{session_id}",
  params: { session_id: "session_id" },
  access: { face: "web", who: "person" },
  summary: "Sign one browser out.",
  input: z.object({ session_id: resourceIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: { input: { session_id: "019a9f5e-1d00-7000-8000-000000000070" }, output: null },

  async handle({ session_id }, { db, caller, found }) {
    found((await db.write(deleteSession, session_id, caller.account.id)) || null);
    return nothing();
  },
});
