import { action } from "../../contract/endpoint/action.ts";
import { confirmPasswordOrPasskey } from "../../contract/call/confirm-password.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { plainText } from "../../core/text/third-party-text.ts";

/** Asks who is at a signed-in browser: password and second factor, or a passkey. Valid for 15 minutes. */
export const confirmPerson = action({
  id: "sessions.confirm",
  who: "person",
  input: { password: plainText(1000).default(""), second_factor: typedFactor().default("") },
  errors: ["unauthorized", "rate_limited"],

  async run({ password, second_factor }, context) {
    await confirmPasswordOrPasskey(password, second_factor, context);
    return null;
  },
});
