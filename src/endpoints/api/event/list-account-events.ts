import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { checkPeriod } from "../../../contract/call/permitted-period.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { AccountEvent, timelineAt, toAccountEvent } from "../../../core/event/server-event.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { writtenSpanInput } from "../../../core/metric/period.ts";
import { newestEvents } from "../../../services/event/newest-events.ts";
import { timePosition } from "../../../core/position.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { eventFilter, eventFilterInput } from "./timeline-input.ts";
import { exampleEvent } from "./example-event.ts";

export const listAccountEvents = defineEndpoint({
  id: "events.list_all",
  method: "GET",
  path: "/monitoring/events",
  params: {},
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary: "The timeline of all own servers, or of one of them, newest first.",
  isAddition: true,
  input: z.strictObject({
    server_id: resourceIdInput().optional(),
    ...writtenSpanInput,
    ...eventFilterInput,
    ...pageInput,
  }),
  output: pageOf(AccountEvent),
  errors: ["validation_error", "not_found", "retention_exceeded"],
  example: {
    input: { category: "moderation", from: "-24h" },
    output: {
      data: [{ ...exampleEvent, server_name: "Lobby" }],
      page: { cursor: null, has_more: false },
    },
  },

  check({ from, to }, { now, fail }) {
    checkPeriod({ from, to }, now, fail);
  },

  async handle({ server_id, limit, ...input }, { db, caller, now, after, page, fail, found }) {
    const server =
      server_id === undefined ? null : found(await db.read(selectServer, server_id, ownEyes(caller)));
    const filter = eventFilter(input, caller.limits.retention_days, now, fail);
    const rows = await newestEvents(
      db,
      caller.account.id,
      server?.id ?? null,
      filter,
      timePosition(after),
      limit + 1,
    );
    return page(rows, limit, (row) => [timelineAt(row), row.id], toAccountEvent);
  },
});
