import { action } from "../../contract/endpoint/action.ts";
import { z } from "zod";
import { refusedPasskey } from "../../contract/call/confirm-factor.ts";
import { answeringPasskey } from "../../app/access/passkeys.ts";
import { noteSecurity, notingRefusal } from "../../contract/call/security-notes.ts";
import { countFactorTry } from "../../contract/limits/attempt-limits.ts";
import { assertionIn } from "../../core/access/passkey.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { selectStoredPasswordOf } from "../../store/access/account-entry.ts";
import { selectPasskeyNamed } from "../../store/access/passkeys.ts";
import { letIn, ownerOf } from "./let-in.ts";

/** A passkey replaces password and second factor. */
export const signInWithPasskey = action({
  id: "sessions.sign_in_with_passkey",
  who: "anyone",
  input: {
    passkey: typedFactor(),
    /** Ties the challenge to the browser; there is no session yet. */
    browser: z.string().nullable(),
    user_agent: z.string().nullable(),
    /** The cookie that remembers earlier sign-ins in this browser. */
    device: z.string().nullable().default(null),
  },
  errors: ["unauthorized", "rate_limited"],

  async run({ passkey: typed, browser: holder, user_agent, device }, context) {
    const { db, now, people, secrets, fail } = context;
    const answer = assertionIn(typed);
    const named = answer && (await db.read(selectPasskeyNamed, answer.answer.id));
    const known = named && (await db.read(selectStoredPasswordOf, named.accountId));
    const accountId = known?.account.id ?? null;
    const right = await notingRefusal(context, "sign_in_refused", { accountId }, async () => {
      const name = known && people.devices.nameOf(device, ownerOf(known), now);
      const kind = name === null ? ("account_factor" as const) : ("device_factor" as const);
      // An unknown passkey has a window like those of accounts.
      const key = accountId ?? secrets.digest(answer?.answer.id ?? "");
      const giveTryBack = await countFactorTry({ kind, key }, context);
      if (answer === null || holder === null || known === null) return fail("unauthorized", refusedPasskey);
      const used = await answeringPasskey(answer, { purpose: "sign_in", holder }, context);
      if (used?.accountId !== accountId) return fail("unauthorized", refusedPasskey);
      await giveTryBack();
      return known;
    });
    if (right.account.role === "suspended") {
      noteSecurity(context, "sign_in_refused", { accountId, detail: "suspended account" });
      return fail("unauthorized", "This account is suspended. Ask the operator of this service.");
    }
    return await letIn(right, { user_agent, device }, context);
  },
});
