import { mailPerson } from "../../../contract/access/mail-person.ts";
import { z } from "zod";
import { confirmPassword } from "../../../contract/access/confirm-password.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { secondFactorMail } from "../../../core/access/account-mail.ts";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { typedPassword } from "../../../core/access/sign-in.ts";
import { switchSecondFactorOff } from "../../../services/access/switch-second-factor.ts";
import { hasSecondFactor } from "../../../store/access/second-factors.ts";

export const disableSecondFactor = defineEndpoint({
  id: "second_factor.disable",
  method: "DELETE",
  path: "/account/second-factor",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Switch the second factor off with the password and a code; every other browser is signed out.",
  input: z.strictObject({ password: typedPassword(), second_factor: typedFactor() }),
  output: z.null(),
  success: [204],
  errors: ["unauthorized", "rate_limited", "invalid_state"],
  example: { input: { password: "correct horse battery", second_factor: "123456" }, output: null },

  async handle({ password, second_factor }, context) {
    const { db, caller, fail } = context;
    const { account, session } = caller;
    await confirmPassword(password, second_factor, context);
    if (!(await db.write(switchSecondFactorOff, account.id, session.id)))
      return fail("invalid_state", "Codes of an app are off already.");
    noteSecurity(context, "second_factor_off");
    mailPerson(account, secondFactorMail(false, await db.read(hasSecondFactor, account.id)), context);
    return nothing();
  },
});
