import { removeAccount } from "../../../services/access/remove-account.ts";
import { z } from "zod";
import { confirmPassword } from "../../../contract/access/confirm-password.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { plainText } from "../../../core/text/third-party-text.ts";

export const deleteAccount = defineEndpoint({
  id: "leaving.delete_account",
  method: "DELETE",
  path: "/account",
  params: {},
  access: { face: "web", who: "person" },
  summary: "Delete the account with everything of it, at once; certified reports stay, without author.",
  input: z.strictObject({ password: plainText(1024) }),
  output: z.null(),
  success: [204],
  errors: ["unauthorized", "rate_limited", "invalid_state"],
  example: { input: { password: "correct horse battery" }, output: null },

  async handle({ password }, context) {
    const { db, caller, now, fail } = context;
    await confirmPassword(password, context);
    if (!(await removeAccount(db, caller.account.id, now)))
      fail(
        "invalid_state",
        "This is the last admin account: nobody could run the service without it. Make another account an admin first.",
      );
    return nothing();
  },
});
