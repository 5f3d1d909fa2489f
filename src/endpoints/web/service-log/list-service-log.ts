import { selectServiceLog } from "../../../store/service-log/service-log.ts";
import { z } from "zod";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { Id } from "../../../core/id.ts";
import { timePosition } from "../../../core/position.ts";
import type { ServiceLogEntry } from "../../../core/service-log/entry.ts";
import { toTimestamp } from "../../../core/time.ts";
import { Timestamp } from "../../../core/timestamp.ts";

const NamedAccount = z.object({ id: Id, email: z.string() });

/** `times` how often it happened alike, first at `at`; an account that was deleted is null. */
const Entry = z.object({
  id: Id,
  at: Timestamp,
  last_at: Timestamp,
  times: z.int(),
  kind: z.string(),
  words: z.string(),
  by: z.object({ who: z.enum(["admin", "command_line", "service"]), account: NamedAccount.nullable() }),
  about: NamedAccount.nullable(),
});

const toRow = ({ id, at, lastAt, times, kind, words, by, about }: ServiceLogEntry) => ({
  id,
  at: toTimestamp(at),
  last_at: toTimestamp(lastAt),
  times,
  kind,
  words,
  by,
  about,
});

export const listServiceLog = defineEndpoint({
  id: "service.list_log",
  method: "GET",
  path: "/admin/service/log",
  params: {},
  access: { face: "web", who: "admin" },
  summary:
    "Events of the service itself in the last 90 days, and what admins and the command line did, newest first.",
  input: z.strictObject(pageInput),
  output: pageOf(Entry),
  errors: [],
  example: {
    input: { limit: 25 },
    output: {
      data: [
        {
          id: "019a9f5e-1d00-7000-8000-000000000009",
          at: "2026-11-20T08:00:00.000Z",
          last_at: "2026-11-20T08:00:00.000Z",
          times: 1,
          kind: "plan_changed",
          words: "The plan was changed from free to pro.",
          by: {
            who: "admin",
            account: { id: "019a9f5e-1d00-7000-8000-000000000001", email: "admin@example.org" },
          },
          about: { id: "019a9f5e-1d00-7000-8000-000000000002", email: "you@example.org" },
        },
      ],
      page: { cursor: null, has_more: false },
    },
  },

  async handle({ limit }, { db, after, page }) {
    const rows = await db.read(selectServiceLog, timePosition(after), limit + 1);
    return page(rows, limit, ({ at, id }) => [at, id], toRow);
  },
});
