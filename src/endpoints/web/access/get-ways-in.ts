import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { signUpPolicies } from "../../../core/access/sign-in.ts";

export const getWaysIn = defineEndpoint({
  id: "accounts.get_ways_in",
  method: "GET",
  path: "/account/ways-in",
  params: {},
  access: { face: "web", who: "anyone" },
  summary: "Who may make an account, and whether this service sends mail.",
  input: z.object({}),
  output: z.object({ sign_up: z.enum(signUpPolicies), sends_mail: z.boolean() }),
  errors: [],
  example: { input: {}, output: { sign_up: "closed", sends_mail: true } },

  handle: async (_, { people }) => ({ sign_up: people.signUp, sends_mail: people.mail !== null }),
});
