import { z } from "zod";
import { PasskeyRequest, requestPasskey } from "../../../contract/access/passkeys.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { selectPasskeys } from "../../../store/access/passkeys.ts";
import { examplePasskeyRequest } from "./passkey-row.ts";

export const requestOwnPasskey = defineEndpoint({
  id: "passkeys.request",
  method: "GET",
  path: "/account/passkeys/request",
  params: {},
  access: { face: "web", who: "person" },
  summary: "A challenge for a passkey of the account, in place of a code of the second factor.",
  input: z.strictObject({}),
  output: PasskeyRequest,
  errors: ["invalid_state"],
  example: { input: {}, output: examplePasskeyRequest },

  async handle(_, context) {
    const { db, caller, people, fail } = context;
    const passkeys = await db.read(selectPasskeys, caller.account.id);
    const party = people.passkeyParty();
    if (passkeys.length === 0) return fail("invalid_state", "The account has no passkey. Type a code.");
    if (party === null)
      return fail("invalid_state", "Browsers offer no passkeys at the address of this service. Type a code.");
    return requestPasskey({ purpose: "second_factor", holder: caller.session.id }, party, passkeys, context);
  },
});
