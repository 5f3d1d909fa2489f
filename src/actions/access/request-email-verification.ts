import { action } from "../../contract/endpoint/action.ts";
import { countMail } from "../../contract/limits/attempt-limits.ts";
import { sendVerification } from "./send-verification.ts";

export const requestEmailVerification = action({
  id: "accounts.request_email_verification",
  who: "person",
  errors: ["invalid_state", "rate_limited", "unavailable"],

  async run(_, context) {
    const { caller, people, fail } = context;
    const { account } = caller;
    if (account.emailVerified)
      return fail("invalid_state", "This address is verified already. Nothing needs to be done.");
    if (people.mail === null)
      return fail(
        "invalid_state",
        `This service sends no mail. Ask its operator to verify the address: tickmark account verify-email ${account.email}`,
      );
    await countMail(account.email, caller, context);
    const result = await sendVerification(account, context);
    if (result?.status === "sent") return null;
    return fail(
      "unavailable",
      "The mail server refused the mail. Try again later; the reason is in the service's log.",
    );
  },
});
