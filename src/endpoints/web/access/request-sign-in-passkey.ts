import { z } from "zod";
import { PasskeyRequest, requestPasskey } from "../../../contract/access/passkeys.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { examplePasskeyRequest } from "./passkey-row.ts";

export const requestSignInPasskey = defineEndpoint({
  id: "sessions.request_passkey",
  method: "GET",
  path: "/account/sessions/passkey",
  params: {},
  access: { face: "web", who: "anyone" },
  summary: "A challenge for any passkey of this service, which one browser may answer to sign in.",
  input: z.object({
    /** What the browser keeps, without a session. */
    browser: z.string().nullable(),
  }),
  output: PasskeyRequest,
  errors: ["invalid_state"],
  example: { input: { browser: "GQ0SLm3v" }, output: examplePasskeyRequest },

  async handle({ browser }, context) {
    const { people, fail } = context;
    const party = people.passkeyParty();
    if (party === null)
      return fail("invalid_state", "Browsers offer no passkeys at the address of this service.");
    if (browser === null)
      return fail("invalid_state", "The browser keeps no cookies. Allow them, and reload.");
    return requestPasskey({ purpose: "sign_in", holder: browser }, party, [], context);
  },
});
