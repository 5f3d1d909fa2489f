import { z } from "zod";
import { action } from "../../contract/endpoint/action.ts";
import { confirmFactor } from "../../contract/call/confirm-factor.ts";
import { noteSecurity } from "../../contract/call/security-notes.ts";
import { Scope, scopes as allScopes } from "../../core/access/scope.ts";
import { typedFactor } from "../../core/access/second-factor.ts";
import { resourceIdInput } from "../../core/id.ts";
import { changeRights } from "../../services/access/change-rights.ts";
import { selectTokens } from "../../store/access/tokens.ts";

/** Changes what a token or a connection of the account may do, from its next call on. */
export const changeTokenRights = action({
  id: "tokens.change_rights",
  who: "person",
  input: {
    token_id: resourceIdInput(),
    scopes: z.array(Scope).min(1).max(100),
    second_factor: typedFactor().default(""),
  },
  errors: ["not_found", "unauthorized", "rate_limited"],

  async run({ token_id, scopes, second_factor }, context) {
    const { db, caller, now, found } = context;
    const { id: accountId } = caller.account;
    const held = found(
      (await db.read(selectTokens, accountId, now)).find(({ id }) => id === token_id) ?? null,
    );
    // To give more takes what making a token takes; to take something away takes nothing.
    if (scopes.some((scope) => !held.scopes.includes(scope)))
      await confirmFactor(caller.account, second_factor, { kind: "session_factor", key: accountId }, context);
    const chosen = allScopes.filter((scope) => scopes.includes(scope));
    found((await db.write(changeRights, { accountId, id: token_id, scopes: chosen, now })) || null);
    noteSecurity(context, "rights_changed", { tokenId: token_id });
    return null;
  },
});
