import { z } from "zod";
import { confirmPassword } from "../../../contract/access/confirm-password.ts";
import { newRecoveryCodes } from "../../../contract/access/factor-secrets.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { typedPassword } from "../../../core/access/sign-in.ts";
import { hasSecondFactor, replaceRecoveryCodes } from "../../../store/access/second-factors.ts";

export const renewRecoveryCodes = defineEndpoint({
  id: "second_factor.renew_codes",
  method: "POST",
  path: "/account/second-factor/recovery-codes",
  params: {},
  access: { face: "web", who: "person" },
  summary: "New recovery codes in place of the old ones; only this answer has them.",
  input: z.strictObject({ password: typedPassword(), second_factor: typedFactor() }),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ["unauthorized", "rate_limited", "invalid_state"],
  example: {
    input: { password: "correct horse battery", second_factor: "123456" },
    output: { recovery_codes: ["ABCD-EFGH-JKMN-PQRS"] },
  },

  async handle({ password, second_factor }, context) {
    const { db, caller, secrets, fail } = context;
    const { id } = caller.account;
    if (!(await db.read(hasSecondFactor, id)))
      return fail("invalid_state", "The second factor is off, and needs no recovery codes.");
    await confirmPassword(password, second_factor, context);
    const { codes, digests } = newRecoveryCodes(secrets);
    await db.write(replaceRecoveryCodes, id, digests);
    noteSecurity(context, "recovery_codes_renewed");
    return { recovery_codes: codes };
  },
});
