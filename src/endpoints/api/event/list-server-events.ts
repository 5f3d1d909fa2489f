import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { checkPeriod } from "../../../contract/call/permitted-period.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { ServerEvent, timelineAt, toServerEvent } from "../../../core/event/server-event.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { spanInput } from "../../../core/metric/period.ts";
import { timePosition } from "../../../core/position.ts";
import { newestOfServer } from "../../../services/event/newest-events.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { eventFilter, eventFilterInput } from "./timeline-input.ts";
import { exampleEvent } from "./example-event.ts";

export const listServerEvents = defineEndpoint({
  id: "events.list",
  method: "GET",
  path: "/servers/{id}/events",
  params: { id: "server_id" },
  access: { face: "api", scope: "monitoring:read", plan: "monitoring" },
  summary: "The timeline of an own server, newest first: starts, stops, bans, benchmarks, what tokens did.",
  input: z.strictObject({
    server_id: resourceIdInput(),
    ...spanInput,
    ...eventFilterInput,
    ...pageInput,
  }),
  output: pageOf(ServerEvent),
  errors: ["validation_error", "not_found", "retention_exceeded"],
  example: {
    input: { server_id: exampleEvent.server_id, category: "moderation", from: "2026-11-19T00:00:00Z" },
    output: { data: [exampleEvent], page: { cursor: null, has_more: false } },
  },

  check({ from, to }, { now, fail }) {
    checkPeriod({ from, to }, now, fail);
  },

  async handle({ server_id, limit, ...input }, { db, replica, caller, now, after, page, fail, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const filter = eventFilter(input, caller.limits.retention_days, now, fail);
    const position = timePosition(after);
    const rows = await newestOfServer(replica, caller.account.id, server.id, filter, position, limit + 1);
    return page(rows, limit, (row) => [timelineAt(row), row.id], toServerEvent);
  },
});
