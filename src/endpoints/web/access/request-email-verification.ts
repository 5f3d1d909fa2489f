import { z } from "zod";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { countMail } from "../../../contract/limits/attempt-limits.ts";
import { sendVerification } from "./send-verification.ts";

export const requestEmailVerification = defineEndpoint({
  id: "accounts.request_email_verification",
  method: "POST",
  path: "/account/email/verification",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Mail the account's address a link that verifies it.",
  input: z.object({}),
  output: z.null(),
  success: [204],
  errors: ["invalid_state", "rate_limited", "unavailable"],
  example: { input: {}, output: null },

  async handle(_, context) {
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
    if (result?.status === "sent") return nothing();
    return fail(
      "unavailable",
      "The mail server refused the mail. Try again later; the reason is in the service's log.",
    );
  },
});
