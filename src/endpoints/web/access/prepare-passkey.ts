import { z } from "zod";
import { confirmPassword } from "../../../contract/access/confirm-password.ts";
import { NewPasskeyOptions, requestNewPasskey } from "../../../contract/access/passkeys.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { mostPasskeys } from "../../../core/access/passkey.ts";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { typedPassword } from "../../../core/access/sign-in.ts";
import { callerName } from "../../../core/text/third-party-text.ts";
import { selectPasskeys } from "../../../store/access/passkeys.ts";

export const tooManyPasskeys = `An account has at most ${mostPasskeys} passkeys. Remove one that you no longer use.`;

export const preparePasskey = defineEndpoint({
  id: "passkeys.prepare",
  method: "POST",
  path: "/account/passkeys/set-up",
  params: {},
  access: { face: "web", who: "person" },
  summary: "What a browser needs to make a passkey; nothing is kept until it answered.",
  input: z.strictObject({
    name: callerName(80),
    password: typedPassword(),
    second_factor: typedFactor().default(""),
  }),
  output: z.object({ sealed: z.string(), origin: z.string(), options: NewPasskeyOptions }),
  errors: ["unauthorized", "rate_limited", "invalid_state"],
  example: {
    input: { name: "Phone", password: "correct horse battery" },
    output: {
      sealed: "sealed by this call",
      origin: "https://tickmark.example",
      options: {
        rp: { id: "tickmark.example", name: "Tickmark" },
        user: { id: "MDE5YQ", name: "you@example.org", displayName: "you@example.org" },
        challenge: "GQ0SLm3vW9dQbTqvBHnZkQ0lxq7Y0mCk",
        timeout: 300_000,
        attestation: "none",
        pubKeyCredParams: [{ type: "public-key", alg: -7 }],
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
        excludeCredentials: [],
      },
    },
  },

  async handle({ password, second_factor }, context) {
    const { db, caller, people, fail } = context;
    const { account, session } = caller;
    const party = people.passkeyParty();
    if (party === null)
      return fail("invalid_state", "Browsers offer no passkeys at the address of this service.");
    const passkeys = await db.read(selectPasskeys, account.id);
    if (passkeys.length >= mostPasskeys) return fail("invalid_state", tooManyPasskeys);
    await confirmPassword(password, second_factor, context);
    const use = { purpose: "new_passkey" as const, holder: session.id };
    return { origin: party.origin, ...requestNewPasskey(use, party, account, passkeys, context) };
  },
});
