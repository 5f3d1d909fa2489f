import { z } from "zod";
import { confirmPasswordOrPasskey } from "../../../contract/access/confirm-password.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { plainText } from "../../../core/text/third-party-text.ts";

export const confirmPerson = defineEndpoint({
  id: "sessions.confirm",
  method: "POST",
  path: "/account/confirmation",
  params: {},
  access: { face: "web", who: "person" },
  summary:
    "Prove who is at a signed-in browser, by the password and the second factor or by a passkey; it holds for 15 minutes.",
  input: z.strictObject({ password: plainText(1000).default(""), second_factor: typedFactor().default("") }),
  output: z.null(),
  success: [204],
  errors: ["unauthorized", "rate_limited"],
  example: { input: { password: "correct horse battery" }, output: null },

  async handle({ password, second_factor }, context) {
    await confirmPasswordOrPasskey(password, second_factor, context);
    return nothing();
  },
});
