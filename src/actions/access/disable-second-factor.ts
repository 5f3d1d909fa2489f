import { action } from "../../contract/endpoint/action.ts";
import { mailPerson } from "../../contract/call/mail-person.ts";
import { confirmPassword } from "../../contract/call/confirm-password.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { secondFactorMail } from "../../core/access/account-mail.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { typedPassword } from "../../core/access/sign-in.ts";
import { switchSecondFactorOff } from "../../services/access/switch-second-factor.ts";
import { hasSecondFactor } from "../../store/access/second-factors.ts";

/** Signs every other browser out. */
export const disableSecondFactor = action({
  id: "second_factor.disable",
  who: "person",
  input: { password: typedPassword(), second_factor: typedFactor() },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ password, second_factor }, context) {
    const { db, caller, fail } = context;
    const { account, session } = caller;
    await confirmPassword(password, second_factor, context);
    if (!(await db.write(switchSecondFactorOff, account.id, session.id)))
      return fail("invalid_state", "Codes of an app are off already.");
    noteSecurity(context, "second_factor_off");
    mailPerson(account, secondFactorMail(false, await db.read(hasSecondFactor, account.id)), context);
    return null;
  },
});
