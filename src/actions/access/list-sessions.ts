import { action } from "../../contract/endpoint/action.ts";
import { selectSessions } from "../../store/access/sessions.ts";
import { toTimestamp } from "../../core/time.ts";

export const listSessions = action({
  id: "sessions.list",
  who: "person",
  errors: [],

  async run(_, { db, caller, now }) {
    const sessions = await db.read(selectSessions, caller.account.id, now);
    return {
      data: sessions.map(({ id, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
        id,
        user_agent: userAgent,
        created_at: toTimestamp(createdAt),
        last_used_at: toTimestamp(lastUsedAt),
        expires_at: toTimestamp(expiresAt),
        current: id === caller.session.id,
      })),
    };
  },
});
