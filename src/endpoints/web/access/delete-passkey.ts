import { mailPerson } from "../../../contract/access/mail-person.ts";
import { z } from "zod";
import { confirmPassword } from "../../../contract/access/confirm-password.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { passkeyMail } from "../../../core/access/account-mail.ts";
import { typedFactor } from "../../../core/access/second-factor.ts";
import { typedPassword } from "../../../core/access/sign-in.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { removePasskey } from "../../../services/access/change-passkeys.ts";

export const deletePasskey = defineEndpoint({
  id: "passkeys.delete",
  method: "DELETE",
  path: "/account/passkeys/{passkey_id}",
  params: { passkey_id: "passkey_id" },
  access: { face: "web", who: "person" },
  summary: "Remove a passkey with the password and the second factor; every other browser is signed out.",
  input: z.object({
    passkey_id: resourceIdInput(),
    password: typedPassword(),
    second_factor: typedFactor().default(""),
  }),
  output: z.null(),
  success: [204],
  errors: ["unauthorized", "rate_limited", "not_found"],
  example: {
    input: {
      passkey_id: "019a9f5e-1d00-7000-8000-000000000075",
      password: "correct horse battery",
      second_factor: "123456",
    },
    output: null,
  },

  async handle({ passkey_id, password, second_factor }, context) {
    const { db, caller, found } = context;
    const { account, session } = caller;
    await confirmPassword(password, second_factor, context);
    found((await db.write(removePasskey, account.id, passkey_id, session.id)) || null);
    noteSecurity(context, "passkey_removed");
    mailPerson(account, passkeyMail("removed"), context);
    return nothing();
  },
});
