import { action } from "../../contract/endpoint/action.ts";
import { ownEyes } from "../../contract/call/caller.ts";
import { completeList } from "../../contract/endpoint/page.ts";
import { resourceIdInput } from "../../core/id.ts";
import { toTimestamp, parseInstant } from "../../core/time.ts";
import { IsoInstant } from "../../core/timestamp.ts";
import { pastWindowsOf } from "../../services/maintenance/past-windows-of.ts";
import { selectServer } from "../../store/server/servers.ts";

/** Windows of an own server that have begun and end after `from`, oldest first. */
export const listMaintenanceWindows = action({
  id: "maintenance_windows.list",
  who: "person",
  input: { server_id: resourceIdInput(), from: IsoInstant },
  errors: ["not_found"],

  async run({ server_id, from }, { db, caller, now, found }) {
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
