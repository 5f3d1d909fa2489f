import { action } from "../../contract/endpoint/action.ts";
import { z } from "zod";
import { requestPasskey } from "../../app/access/passkeys.ts";
import { selectPasskeys } from "../../store/access/passkeys.ts";
import { selectSecondFactor } from "../../store/access/second-factors.ts";
import { accountOfStep } from "./password-step.ts";

export const getSecondStep = action({
  id: "sessions.get_second_step",
  who: "anyone",
  input: {
    password_step: z.string().min(1).max(2000),
    /** Ties the step to the browser that typed the password; there is no session yet. */
    browser: z.string().nullable(),
  },
  errors: ["invalid_state"],

  async run({ password_step, browser }, context) {
    const { db, people } = context;
    const { id } = (await accountOfStep(password_step, context)).account;
    const passkeys = await db.read(selectPasskeys, id);
    const party = people.passkeyParty();
    const use = browser === null ? null : { purpose: "second_factor" as const, holder: browser };
    return {
      // Recovery codes are always accepted.
      has_codes: (await db.read(selectSecondFactor, id)) !== null,
      has_passkeys: passkeys.length > 0,
      passkey: party && use && passkeys.length > 0 ? requestPasskey(use, party, passkeys, context) : null,
    };
  },
});
