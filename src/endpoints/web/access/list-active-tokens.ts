import { selectActiveTokens } from "../../../store/access/activity.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { Id } from "../../../core/id.ts";
import { thirdPartyText } from "../../../core/text/third-party-text.ts";
import { toTimestamp, toTimestampOrNull } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

export const listActiveTokens = defineEndpoint({
  id: "activity.list_tokens",
  method: "GET",
  path: "/account/activity/tokens",
  params: {},
  access: { face: "web", who: "person" },
  summary: "The tokens that made a call in the last 30 days, revoked ones too, last used first.",
  input: z.strictObject({}),
  output: z.object({
    data: z.array(
      z.object({
        id: Id,
        name: thirdPartyText(200),
        last_at: Timestamp,
        revoked_at: Timestamp.nullable(),
      }),
    ),
  }),
  errors: [],
  example: {
    input: {},
    output: {
      data: [
        {
          id: "019a9f5e-1d00-7000-8000-000000000001",
          name: "My assistant",
          last_at: "2026-11-20T08:00:00.000Z",
          revoked_at: null,
        },
      ],
    },
  },

  async handle(_input, { db, caller }) {
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
