import { action } from "../../contract/endpoint/action.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { typedCode } from "../../core/access/sign-in.ts";
import { openFactorByCode } from "../../services/access/try-factor.ts";

/** Allows codes of the second factor again, by the mailed code, after too many wrong ones. */
export const openFactor = action({
  id: "second_factor.open",
  who: "anyone",
  input: { code: typedCode() },
  errors: ["invalid_state"],

  async run({ code }, context) {
    const { db, secrets, now, fail } = context;
    const account = await db.write(openFactorByCode, secrets.digest(code), now);
    if (account) {
      noteSecurity(context, "second_factor_opened", { accountId: account.id });
      return { email: account.email };
    }
    noteSecurity(context, "code_refused", { detail: "closed second factor" });
    return fail("invalid_state", "This link was used already, has expired, or was replaced by a newer one.");
  },
});
