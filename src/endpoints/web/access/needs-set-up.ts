import { hasAnyAccount } from "../../../store/access/account-entry.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";

export const needsSetUp = defineEndpoint({
  id: "accounts.needs_set_up",
  method: "GET",
  path: "/account/set-up",
  params: {},
  access: { face: "web", who: "anyone" },
  summary: "Whether this service has no account yet, so that the first one can be made.",
  input: z.object({}),
  output: z.object({ needs_set_up: z.boolean() }),
  errors: [],
  example: { input: {}, output: { needs_set_up: false } },

  handle: async (_, { db }) => ({ needs_set_up: !(await db.read(hasAnyAccount)) }),
});
