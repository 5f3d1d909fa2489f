import { removeAccount } from "../../../services/access/remove-account.ts";
import { z } from "zod";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { confirmPassword } from "../../../contract/access/confirm-password.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { plainText } from "../../../core/text/third-party-text.ts";

export const deleteAccount = defineEndpoint({
  id: "leaving.delete_account",
  method: "DELETE",
  path: "/account",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Delete the account and all its data at once; certified reports stay, without an author.",
  input: z.strictObject({ password: plainText(1024), second_factor: typedFactor().default("") }),
  output: z.null(),
  success: [204],
  errors: ["unauthorized", "rate_limited", "invalid_state"],
  example: { input: { password: "correct horse battery" }, output: null },

  async handle({ password, second_factor }, context) {
    const { db, caller, now, fail } = context;
    await confirmPassword(password, second_factor, context);
    if (!(await removeAccount(db, caller.account.id, now)))
      fail(
        "invalid_state",
        "This is the last admin account, and the service needs one. Make another account an admin first.",
      );
    return nothing();
  },
});
