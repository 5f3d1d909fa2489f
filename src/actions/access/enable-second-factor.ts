import { action } from "../../contract/endpoint/action.ts";
import { mailPerson } from "../../contract/call/mail-person.ts";
import { z } from "zod";
import { newRecoveryCodes, openSetUp, sealFactorSecret } from "../../app/access/factor-secrets.ts";
import { stepOfCode } from "../../app/access/totp.ts";
import { noteSecurity, notingRefusal } from "../../contract/call/security-notes.ts";
import { countFactorTry } from "../../contract/limits/attempt-limits.ts";
import { secondFactorMail } from "../../core/access/account-mail.ts";
import { stepCodeOf, typedFactor } from "../../core/access/second-factor.ts";
import { switchSecondFactorOn } from "../../services/access/switch-second-factor.ts";

/** Signs every other browser out. Only this answer shows the recovery codes. */
export const enableSecondFactor = action({
  id: "second_factor.enable",
  who: "person",
  input: { set_up: z.string().min(1).max(2000), second_factor: typedFactor() },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ set_up, second_factor }, context) {
    const { db, caller, people, secrets, now, fail } = context;
    const { account, session } = caller;
    const secret = openSetUp(people.factors, account.id, set_up, now);
    if (secret === null) return fail("invalid_state", "This took too long. Start again with a new secret.");
    const step = await notingRefusal(context, "second_factor_refused", {}, async () => {
      const giveTryBack = await countFactorTry({ kind: "session_factor", key: account.id }, context);
      const code = stepCodeOf(second_factor);
      const found = code === null ? null : stepOfCode(secret, code, now);
      if (found === null)
        return fail(
          "unauthorized",
          "The code is wrong. Check that the clock of the device is right, then type the code that it shows now.",
        );
      await giveTryBack();
      return found;
    });
    const { codes, digests } = newRecoveryCodes(secrets);
    const factor = {
      accountId: account.id,
      sealedSecret: sealFactorSecret(people.factors, account.id, secret),
      lastStep: step,
      enabledAt: now,
    };
    if (!(await db.write(switchSecondFactorOn, factor, digests, session.id)))
      return fail("invalid_state", "The second factor is on already. Switch it off to set up another one.");
    noteSecurity(context, "second_factor_on");
    mailPerson(account, secondFactorMail(true, false), context);
    return { recovery_codes: codes };
  },
});
