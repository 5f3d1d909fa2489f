import { selectActivity } from "../../../store/access/activity.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import type { ActivityRecord } from "../../../core/access/activity.ts";
import { IdFilter, Id } from "../../../core/id.ts";
import { timePosition } from "../../../core/position.ts";
import { thirdPartyText } from "../../../core/text/third-party-text.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

/** `call` is an endpoint's id; `times` how often it was done alike within a moment, the last time at `at`. */
const ActivityRow = z.object({
  id: Id,
  at: Timestamp,
  token: z.object({
    id: Id,
    name: thirdPartyText(200),
    kind: z.enum(["token", "connector"]),
    client: z.object({ name: thirdPartyText(200), host: thirdPartyText(255).nullable() }).nullable(),
  }),
  call: z.string(),
  status: z.int(),
  error: z.string().nullable(),
  times: z.int(),
});

const toRow = ({ id, at, token, call, status, error, times }: ActivityRecord) => ({
  id,
  at: toTimestamp(at),
  token,
  call,
  status,
  error,
  times,
});

export const listActivity = defineEndpoint({
  id: "activity.list",
  method: "GET",
  path: "/account/activity",
  params: {},
  access: { face: "web", who: "person" },
  summary: "What the account's tokens did in the last 30 days, newest first.",
  input: z.strictObject({ ...pageInput, token_id: IdFilter.optional() }),
  output: pageOf(ActivityRow),
  errors: [],
  example: {
    input: { limit: 25 },
    output: {
      data: [
        {
          id: "019a9f5e-1d00-7000-8000-000000000009",
          at: "2026-11-20T08:00:00.000Z",
          token: {
            id: "019a9f5e-1d00-7000-8000-000000000001",
            name: "My assistant",
            kind: "token",
            client: null,
          },
          call: "servers.list",
          status: 200,
          error: null,
          times: 1,
        },
      ],
      page: { cursor: null, has_more: false },
    },
  },

  async handle({ limit, token_id }, { db, caller, after, page }) {
    const rows = await db.read(
      selectActivity,
      caller.account.id,
      token_id ?? null,
      timePosition(after),
      limit + 1,
    );
    return page(rows, limit, ({ at, id }) => [at, id], toRow);
  },
});
