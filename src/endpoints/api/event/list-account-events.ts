import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { checkPeriod } from "../../../contract/call/permitted-period.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { pageInput, pageOf } from "../../../contract/endpoint/page.ts";
import { AccountEvent, timelineAt, toAccountEvent } from "../../../core/event/server-event.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { writtenSpanInput } from "../../../core/metric/period.ts";
import { newestEvents, newestOfTypes } from "../../../services/event/newest-events.ts";
import { readOwnRows, rowItself } from "../../../services/server/read-own-rows.ts";
import { timePosition } from "../../../core/position.ts";
import { softwareEventTypes } from "../../../core/software/changes.ts";
import { selectServer } from "../../../store/server/servers.ts";
import { eventFilter, eventFilterInput } from "./timeline-input.ts";
import { exampleEvent } from "./example-event.ts";

/** What `changed` lists: software, settings, and verdicts of health. */
const changeTypes = [...softwareEventTypes, "health_changed"];

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
    // `false` means the same as leaving it out.
    changed: z
      .boolean()
      .optional()
      .transform((changed) => changed === true || undefined),
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

  check({ from, to, type, changed }, { now, fail }) {
    checkPeriod({ from, to }, now, fail);
    if (changed === true && type !== undefined)
      fail("validation_error", "changed chooses the types: send either changed, or type.", {
        field: "changed",
      });
  },

  async handle({ server_id, limit, changed, ...input }, context) {
    const { db, caller, now, after, page, fail, found } = context;
    const server =
      server_id === undefined ? null : found(await db.read(selectServer, server_id, ownEyes(caller)));
    const filter = eventFilter(input, caller.limits.retention_days, now, fail);
    const rest = [timePosition(after), limit + 1] as const;
    const whose = [caller.account.id, server?.id ?? null] as const;
    const rows = await readOwnRows(
      context,
      caller.account.id,
      (from) =>
        changed === true
          ? newestOfTypes(from, ...whose, { ...filter, types: changeTypes }, ...rest)
          : newestEvents(from, ...whose, filter, ...rest),
      rowItself,
    );
    return page(rows, limit, (row) => [timelineAt(row), row.id], toAccountEvent);
  },
});
