import { z } from "zod";
import { defineEndpoint, nothing } from "../../../contract/endpoint.ts";

export const endOtherSessions = defineEndpoint({
  id: "sessions.end_others",
  method: "DELETE",
  path: "/account/sessions",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Sign every browser out but this one.",
  input: z.object({}),
  output: z.null(),
  success: [204],
  errors: [],
  example: { input: {}, output: null },

  async handle(_, { stores, caller }) {
    await stores.sessions.endOthers(caller.account.id, caller.session.id);
    return nothing();
  },
});
