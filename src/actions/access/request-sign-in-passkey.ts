import { action } from "../../contract/endpoint/action.ts";
import { z } from "zod";
import { requestPasskey } from "../../app/access/passkeys.ts";

/** A challenge for any passkey of this service; only the browser that requested it can answer. */
export const requestSignInPasskey = action({
  id: "sessions.request_passkey",
  who: "anyone",
  input: {
    /** Ties the challenge to the browser; there is no session yet. */
    browser: z.string().nullable(),
  },
  errors: ["invalid_state"],

  async run({ browser }, context) {
    const { people, fail } = context;
    const party = people.passkeyParty();
    if (party === null)
      return fail("invalid_state", "Browsers offer no passkeys at the address of this service.");
    if (browser === null)
      return fail("invalid_state", "The browser keeps no cookies. Allow them, and reload.");
    return requestPasskey({ purpose: "sign_in", holder: browser }, party, [], context);
  },
});
