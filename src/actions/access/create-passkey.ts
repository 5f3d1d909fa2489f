import { action } from "../../contract/endpoint/action.ts";
import { mailPerson } from "../../contract/call/mail-person.ts";
import { z } from "zod";
import { newRecoveryCodes } from "../../app/access/factor-secrets.ts";
import { registeredPasskey } from "../../app/access/passkeys.ts";
import { noteSecurity, notingRefusal } from "../../contract/call/security-notes.ts";
import { countFactorTry } from "../../contract/limits/attempt-limits.ts";
import { passkeyMail } from "../../core/access/account-mail.ts";
import { registrationIn } from "../../core/access/passkey.ts";
import { callerName } from "../../core/text/third-party-text.ts";
import { addPasskey } from "../../services/access/change-passkeys.ts";
import { tooManyPasskeys } from "./prepare-passkey.ts";

/** Signs every other browser out. A first second factor also gets recovery codes, shown only once. */
export const createPasskey = action({
  id: "passkeys.create",
  who: "person",
  input: {
    name: callerName(80),
    /** The challenge that `passkeys.prepare` sealed. */
    sealed: z.string().min(1).max(1_000),
    /** The browser's answer as JSON. */
    passkey: z.string().max(20_000),
  },
  errors: ["unauthorized", "rate_limited", "invalid_state"],

  async run({ name, sealed, passkey: typed }, context) {
    const { db, caller, secrets, now, fail } = context;
    const { account, session } = caller;
    const kept = await notingRefusal(context, "second_factor_refused", {}, async () => {
      const giveTryBack = await countFactorTry({ kind: "session_factor", key: account.id }, context);
      const answer = registrationIn(typed);
      const use = { purpose: "new_passkey" as const, holder: session.id };
      const made = answer && (await registeredPasskey(answer, sealed, use, context));
      if (made === null)
        return fail(
          "unauthorized",
          "The passkey was not accepted, or the page was open for more than five minutes. Start again.",
        );
      await giveTryBack();
      return made;
    });
    const { codes, digests } = newRecoveryCodes(secrets);
    const passkey = {
      id: secrets.newId(now),
      accountId: account.id,
      name,
      ...kept,
      createdAt: now,
      lastUsedAt: null,
    };
    const result = await db.write(addPasskey, passkey, digests, session.id);
    if (result === "full") return fail("invalid_state", tooManyPasskeys);
    if (result === "known") return fail("invalid_state", "This passkey was added before.");
    noteSecurity(context, "passkey_added");
    mailPerson(account, passkeyMail("added"), context);
    return { recovery_codes: result === "with_codes" ? codes : null };
  },
});
