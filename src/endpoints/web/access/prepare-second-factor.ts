import { z } from "zod";
import { confirmPassword } from "../../../contract/access/confirm-password.ts";
import { sealSetUp } from "../../../contract/access/factor-secrets.ts";
import { newTotpSecret, totpLink } from "../../../contract/access/totp.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { typedPassword } from "../../../core/access/sign-in.ts";
import { selectSecondFactor } from "../../../store/access/second-factors.ts";

export const prepareSecondFactor = defineEndpoint({
  id: "second_factor.prepare",
  method: "POST",
  path: "/account/second-factor/set-up",
  params: {},
  access: { face: "web", who: "person" },
  summary: "A secret for a program that makes codes; nothing is kept until a code of it was typed.",
  input: z.strictObject({ password: typedPassword(), second_factor: typedFactor().default("") }),
  output: z.object({ secret: z.string(), link: z.string(), set_up: z.string() }),
  errors: ["unauthorized", "rate_limited", "invalid_state"],
  example: {
    input: { password: "correct horse battery" },
    output: {
      secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      link: "otpauth://totp/Tickmark:you%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      set_up: "sealed by this call",
    },
  },

  async handle({ password, second_factor }, context) {
    const { db, caller, people, now, fail } = context;
    const { id, email } = caller.account;
    if (await db.read(selectSecondFactor, id))
      return fail("invalid_state", "The second factor is on already. Switch it off to set up another one.");
    await confirmPassword(password, second_factor, context);
    const secret = newTotpSecret();
    return { secret, link: totpLink(secret, email), set_up: sealSetUp(people.factors, id, secret, now) };
  },
});
