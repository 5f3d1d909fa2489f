import type { StoredHealth } from "../../core/health/stored-health.ts";
import type { ServerMaintenance } from "../../core/maintenance/server-maintenance.ts";
import type { Fleet, ProgressingAlert } from "../../core/monitoring/overview.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { nextTurn } from "../../core/turns.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectFleetPart, type FleetPart, type FleetPosition } from "../../store/monitoring/overview.ts";

/** Servers read at once; few, so that other calls do not wait. */
const serversAtATime = 200;

/** A larger fleet is read in parts, with other work between; each part sees one state of the database. */
export async function readOverview(
  db: Database,
  account: string,
  includeUnmonitored: boolean,
): Promise<Fleet> {
  const servers = new Map<string, MonitoredServer>();
  const health = new Map<string, StoredHealth>();
  const alerts: ProgressingAlert[] = [];
  const maintenance = new Map<string, ServerMaintenance>();
  const enabledRules = new Map<string, number>();
  let from: FleetPosition | null = null;
  for (;;) {
    const part: FleetPart = await db.read(selectFleetPart, account, includeUnmonitored, from, serversAtATime);
    // A server whose monitoring was switched meanwhile may come twice.
    for (const server of part.servers) servers.set(server.id, server);
    for (const [id, stored] of part.health) health.set(id, stored);
    alerts.push(...part.alerts);
    for (const [id, written] of part.maintenance) maintenance.set(id, written);
    for (const [id, count] of part.enabledRules) enabledRules.set(id, count);
    if (part.next === null)
      return { servers: [...servers.values()], alerts, maintenance, health, enabledRules };
    from = part.next;
    await nextTurn();
  }
}
