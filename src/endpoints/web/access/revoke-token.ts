import { revokeTokenOfAccount } from "../../../services/access/revoke-token.ts";
import { z } from "zod";
import { defineEndpoint, nothing } from "../../../contract/endpoint/endpoint.ts";
import { noteSecurity } from "../../../contract/call/security-notes.ts";
import { resourceIdInput } from "../../../core/id.ts";

export const revokeToken = defineEndpoint({
  id: "tokens.revoke",
  method: "DELETE",
  path: "/account/tokens/{token_id}",
  params: { token_id: "token_id" },
  access: { face: "web", who: "person" },
  summary: "Revoke a token or connector of the account: its next call is refused.",
  input: z.strictObject({ token_id: resourceIdInput() }),
  output: z.null(),
  success: [204],
  errors: ["not_found"],
  example: { input: { token_id: "019a9f5e-1d00-7000-8000-000000000001" }, output: null },

  async handle({ token_id }, context) {
    const { db, caller, now, found } = context;
    found((await db.write(revokeTokenOfAccount, caller.account.id, token_id, now)) || null);
    noteSecurity(context, "token_revoked", { tokenId: token_id });
    return nothing();
  },
});
