import { action } from "../../contract/endpoint/action.ts";
import { revokeTokenOfAccount } from "../../services/access/revoke-token.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { resourceIdInput } from "../../core/id.ts";

export const revokeToken = action({
  id: "tokens.revoke",
  who: "person",
  input: { token_id: resourceIdInput() },
  errors: ["not_found"],

  async run({ token_id }, context) {
    const { db, caller, now, found } = context;
    found((await db.write(revokeTokenOfAccount, caller.account.id, token_id, now)) || null);
    noteSecurity(context, "token_revoked", { tokenId: token_id });
    return null;
  },
});
