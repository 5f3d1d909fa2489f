import { action } from "../../contract/endpoint/action.ts";
import { selectActiveTokens } from "../../store/access/activity.ts";
import { toTimestamp, toTimestampOrNull } from "../../core/time.ts";

/** Tokens with a call in the last 30 days, revoked ones too, last used first. */
export const listActiveTokens = action({
  id: "activity.list_tokens",
  who: "person",
  errors: [],

  async run(_input, { db, caller }) {
    const tokens = await db.read(selectActiveTokens, caller.account.id);
    const data = tokens.map(({ id, name, lastAt, revokedAt }) => ({
      id,
      name,
      last_at: toTimestamp(lastAt),
      revoked_at: toTimestampOrNull(revokedAt),
    }));
    return { data };
  },
});
