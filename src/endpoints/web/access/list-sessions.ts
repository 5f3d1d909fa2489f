import { selectSessions } from "../../../store/access/sessions.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Id } from "../../../core/id.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

/** A browser that is signed in to the caller's account. */
const SignedInBrowser = z.object({
  id: Id,
  /** How the browser names itself. */
  user_agent: z.string().nullable(),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
  /** Whether it is the one that asks. */
  current: z.boolean(),
});

export const listSessions = defineEndpoint({
  id: "sessions.list",
  method: "GET",
  path: "/account/sessions",
  params: {},
  access: { face: "web", who: "person" },
  summary: "The browsers that are signed in to this account, the last used first.",
  input: z.object({}),
  output: z.object({ data: z.array(SignedInBrowser) }),
  errors: [],
  example: {
    input: {},
    output: {
      data: [
        {
          id: "019a9f5e-1d00-7000-8000-000000000070",
          user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
          created_at: "2026-11-19T18:30:00.000Z",
          last_used_at: "2026-11-20T07:00:00.000Z",
          expires_at: "2026-12-20T07:00:00.000Z",
          current: true,
        },
      ],
    },
  },

  async handle(_, { db, caller, now }) {
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
