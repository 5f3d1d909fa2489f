import { action } from "../../contract/endpoint/action.ts";
import { removeAccount } from "../../services/access/remove-account.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { confirmPassword } from "../../contract/call/confirm-password.ts";
import { plainText } from "../../core/text/third-party-text.ts";

/** Deletes the account and all its data at once; certified reports stay, without an author. */
export const deleteAccount = action({
  id: "leaving.delete_account",
  who: "person",
  input: { password: plainText(1024), second_factor: typedFactor().default("") },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ password, second_factor }, context) {
    const { db, caller, now, fail } = context;
    await confirmPassword(password, second_factor, context);
    if (!(await removeAccount(db, caller.account.id, now)))
      fail(
        "invalid_state",
        "This is the last admin account, and the service needs one. Make another account an admin first.",
      );
    return null;
  },
});
