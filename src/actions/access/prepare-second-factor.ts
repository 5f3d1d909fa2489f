import { action } from "../../contract/endpoint/action.ts";
import { confirmPassword } from "../../contract/call/confirm-password.ts";
import { sealSetUp } from "../../app/access/factor-secrets.ts";
import { newTotpSecret, totpLink } from "../../app/access/totp.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { typedPassword } from "../../core/access/sign-in.ts";
import { selectSecondFactor } from "../../store/access/second-factors.ts";

/** A secret for an authenticator app. Nothing is stored until a code made with it is typed. */
export const prepareSecondFactor = action({
  id: "second_factor.prepare",
  who: "person",
  input: { password: typedPassword(), second_factor: typedFactor().default("") },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ password, second_factor }, context) {
    const { db, caller, people, now, fail } = context;
    const { id, email } = caller.account;
    if (await db.read(selectSecondFactor, id))
      return fail("invalid_state", "The second factor is on already. Switch it off to set up another one.");
    await confirmPassword(password, second_factor, context);
    const secret = newTotpSecret();
    return { secret, link: totpLink(secret, email), set_up: sealSetUp(people.factors, id, secret, now) };
  },
});
