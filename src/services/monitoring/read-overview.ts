import type { PlanLimits } from "../../core/access/plan.ts";
import { firstInOrder } from "../../core/first-in-order.ts";
import type { StoredHealth } from "../../core/health/stored-health.ts";
import type { ServerMaintenance } from "../../core/maintenance/server-maintenance.ts";
import {
  isAmong,
  wholeFleetSteps,
  type Fleet,
  type FleetHead,
  type OverviewOptions,
  type ProgressingAlert,
} from "../../core/monitoring/overview.ts";
import {
  fleetStandingOf,
  worstServerFirst,
  type FleetStanding,
} from "../../core/monitoring/fleet-standing.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import type { Instant } from "../../core/time.ts";
import { inTurns, nextTurn } from "../../core/turns.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectFleet } from "../../store/monitoring/overview.ts";
import {
  fromTheFirst,
  selectFleetIds,
  selectFleetOwner,
  selectStandings,
  type FleetPosition,
  type FleetSlice,
  type StandingBasis,
} from "../../store/monitoring/standings.ts";

/** Servers read at once; few, so that other calls do not wait: with all that is known of them, and their standing alone. */
const serversAtATime = 200;
const standingsAtATime = 500;

/** A larger fleet is read in parts, with other work between; each part sees one state of the database. */
export async function readWholeFleet(
  db: Database,
  account: string,
  includeUnmonitored: boolean,
): Promise<Fleet> {
  const servers = new Map<string, MonitoredServer>();
  const health = new Map<string, StoredHealth>();
  const alerts = new Map<string, ProgressingAlert>();
  const maintenance = new Map<string, ServerMaintenance>();
  const enabledRules = new Map<string, number>();
  for (let from: FleetPosition | null = fromTheFirst; from !== null;) {
    const { servers: ids, next }: FleetSlice<string> = await db.read(
      selectFleetIds,
      account,
      includeUnmonitored,
      from,
      serversAtATime,
    );
    const part = await db.read(selectFleet, account, ids);
    // A server whose monitoring was switched meanwhile may come twice.
    for (const server of part.servers) servers.set(server.id, server);
    for (const [id, stored] of part.health) health.set(id, stored);
    for (const alert of part.alerts) alerts.set(alert.id, alert);
    for (const [id, written] of part.maintenance) maintenance.set(id, written);
    for (const [id, count] of part.enabledRules) enabledRules.set(id, count);
    from = next;
    if (from !== null) await nextTurn();
  }
  return {
    servers: [...servers.values()],
    alerts: [...alerts.values()],
    maintenance,
    health,
    enabledRules,
  };
}

/** The standing of all servers that the options name. */
async function readStandings(
  db: Database,
  account: string,
  options: OverviewOptions,
  limits: PlanLimits,
  now: Instant,
): Promise<FleetStanding[]> {
  const { openAlerts, ...owner } = await db.read(selectFleetOwner, account);
  const found = new Map<string, FleetStanding>();
  let enabledRank = 0;
  for (let from: FleetPosition | null = fromTheFirst; from !== null;) {
    const part: FleetSlice<StandingBasis> = await db.read(
      selectStandings,
      account,
      options.includeUnmonitored,
      from,
      standingsAtATime,
    );
    for (const { server, known } of part.servers) {
      // The newest link comes first, as in the order of the account's monitored servers.
      if (server.monitoringEnabled) enabledRank += 1;
      const standing = fleetStandingOf(
        Object.assign(server, owner, { enabledRank }),
        Object.assign(known, { openAlerts: openAlerts.get(server.id) ?? 0 }),
        limits,
        now,
      );
      if (isAmong(standing, options)) found.set(standing.id, standing);
    }
    from = part.next;
    if (from !== null) await nextTurn();
  }
  return [...found.values()];
}

/**
 * Reads what a list of an account's servers shows, the worst first: all of them, or with `top` only the first, of which
 * alone everything is read.
 */
export async function readFleetHead(
  db: Database,
  account: string,
  options: OverviewOptions & { readonly top: number | null },
  limits: PlanLimits,
  now: Instant,
): Promise<FleetHead> {
  const { top } = options;
  if (top === null) {
    const fleet = await readWholeFleet(db, account, options.includeUnmonitored);
    return inTurns(wholeFleetSteps(fleet, options, limits, now));
  }
  const standings = await readStandings(db, account, options, limits, now);
  const listed = firstInOrder(standings, worstServerFirst, top);
  const fleet = await db.read(
    selectFleet,
    account,
    listed.map(({ id }) => id),
  );
  return { standings, listed, fleet };
}
