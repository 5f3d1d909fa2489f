import { action } from "../../contract/endpoint/action.ts";
import { confirmPassword } from "../../contract/call/confirm-password.ts";
import { newRecoveryCodes } from "../../app/access/factor-secrets.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { typedPassword } from "../../core/access/sign-in.ts";
import { hasSecondFactor, replaceRecoveryCodes } from "../../store/access/second-factors.ts";

/** The old codes stop working. Only this answer shows the new ones. */
export const renewRecoveryCodes = action({
  id: "second_factor.renew_codes",
  who: "person",
  input: { password: typedPassword(), second_factor: typedFactor() },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ password, second_factor }, context) {
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
