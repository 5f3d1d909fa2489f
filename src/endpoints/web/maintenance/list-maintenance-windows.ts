import { z } from "zod";
import { ownEyes } from "../../../contract/call/caller.ts";
import { defineEndpoint } from "../../../contract/endpoint/endpoint.ts";
import { completeList, pageOf } from "../../../contract/endpoint/page.ts";
import { resourceIdInput } from "../../../core/id.ts";
import { exampleRecurring } from "../../../core/maintenance/example-recurring.ts";
import { toTimestamp, parseInstant } from "../../../core/time.ts";
import { IsoInstant, Timestamp } from "../../../core/timestamp.ts";
import { pastWindowsOf } from "../../../services/maintenance/past-windows-of.ts";
import { selectServer } from "../../../store/server/servers.ts";

export const listMaintenanceWindows = defineEndpoint({
  id: "maintenance_windows.list",
  method: "GET",
  path: "/servers/{id}/maintenance-windows",
  params: { id: "server_id" },
  access: { face: "web", who: "person" },
  summary:
    "The windows of maintenance of an own server that reach into the time from `from` on and began, oldest first.",
  input: z.strictObject({ server_id: resourceIdInput(), from: IsoInstant }),
  output: pageOf(z.object({ started_at: Timestamp, ends_at: Timestamp })),
  errors: ["not_found"],
  example: {
    input: { server_id: exampleRecurring.server_id, from: "2026-11-16T00:00:00.000Z" },
    output: {
      data: [{ started_at: "2026-11-16T01:30:00.000Z", ends_at: "2026-11-16T02:30:00.000Z" }],
      page: { cursor: null, has_more: false },
    },
  },

  async handle({ server_id, from }, { db, caller, now, found }) {
    const server = found(await db.read(selectServer, server_id, ownEyes(caller)));
    const windows = await db.read(pastWindowsOf, server.id, parseInstant(from) ?? now, now);
    return completeList(
      windows.map(({ startedAt, endsAt }) => ({
        started_at: toTimestamp(startedAt),
        ends_at: toTimestamp(endsAt),
      })),
    );
  },
});
