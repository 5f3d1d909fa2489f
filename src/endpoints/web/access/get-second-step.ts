import { z } from "zod";
import { PasskeyRequest, requestPasskey } from "../../../contract/access/passkeys.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { selectPasskeys } from "../../../store/access/passkeys.ts";
import { selectSecondFactor } from "../../../store/access/second-factors.ts";
import { accountOfStep } from "./password-step.ts";

export const getSecondStep = defineEndpoint({
  id: "sessions.get_second_step",
  method: "GET",
  path: "/account/sessions/second-factor",
  params: {},
  access: { face: "web", who: "anyone" },
  summary: "What can be the second step of a sign-in whose password was right.",
  input: z.object({
    password_step: z.string().min(1).max(2000),
    /** What the browser that typed the password keeps, without a session. */
    browser: z.string().nullable(),
  }),
  output: z.object({
    /** Whether an app makes codes. Recovery codes are accepted in any case. */
    has_codes: z.boolean(),
    has_passkeys: z.boolean(),
    /** Null where the browser offers none. */
    passkey: PasskeyRequest.nullable(),
  }),
  errors: ["invalid_state"],
  example: {
    input: { password_step: "sealed by the password step", browser: null },
    output: { has_codes: true, has_passkeys: false, passkey: null },
  },

  async handle({ password_step, browser }, context) {
    const { db, people } = context;
    const { id } = (await accountOfStep(password_step, context)).account;
    const passkeys = await db.read(selectPasskeys, id);
    const party = people.passkeyParty();
    const use = browser === null ? null : { purpose: "second_factor" as const, holder: browser };
    return {
      has_codes: (await db.read(selectSecondFactor, id)) !== null,
      has_passkeys: passkeys.length > 0,
      passkey: party && use && passkeys.length > 0 ? requestPasskey(use, party, passkeys, context) : null,
    };
  },
});
