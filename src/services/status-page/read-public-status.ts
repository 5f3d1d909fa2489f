import type { Plans } from "../../core/access/plan.ts";
import { ownSource } from "../../core/event/server-event.ts";
import { windowAt } from "../../core/maintenance/server-maintenance.ts";
import type { PastWindow } from "../../core/maintenance/past-windows.ts";
import { onlineWithinMs, derivedStatus, type DerivedStatus } from "../../core/server/status.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { mostStatusDays, percentOfDays, publicDay, type DaySeconds } from "../../core/status-page/days.ts";
import { incidentsOf } from "../../core/status-page/incidents.ts";
import { publicStateOf } from "../../core/status-page/public-state.ts";
import type { PublicServer, PublicStatus, PublicWindow } from "../../core/status-page/public-status.ts";
import type { StatusPageRecord } from "../../core/status-page/status-page.ts";
import { dayMs, toTimestamp, utcDay, type Instant } from "../../core/time.ts";
import type { Database } from "../../store/engine/database.ts";
import { selectEvents } from "../../store/event/timeline.ts";
import { storedHealthOf } from "../../store/health/server-health.ts";
import { maintenanceOf } from "../../store/maintenance/maintenance.ts";
import { monitoredServer } from "../../store/server/server-rows.ts";
import { pacer } from "../../core/turns.ts";
import { pastWindowsOf } from "../maintenance/past-windows-of.ts";
import type { PastDays } from "./past-days.ts";
import { readDays } from "./read-days.ts";

const mostTurns = 200;
/** Most incidents and maintenance windows listed per server. */
const mostIncidents = 20;
const mostWindows = 5;

export interface PublicStatusRequest {
  readonly plans: Plans;
  readonly pastDays: PastDays;
  readonly now: Instant;
}

interface ServerRequest extends PublicStatusRequest {
  readonly server: MonitoredServer;
  readonly status: DerivedStatus;
  /** Start of the first day. */
  readonly from: Instant;
  readonly windows: readonly PastWindow[];
}

/** Days before yesterday are cached. */
async function daysOf(db: Database, { pastDays, ...request }: ServerRequest): Promise<DaySeconds[]> {
  const { server, status, windows: maintenance, from, now } = request;
  const facts = { server, status, maintenance };
  const recent = Math.max(from, utcDay(now) - dayMs);
  const past = await pastDays.of(`${server.id} ${from} ${recent}`, now, () =>
    readDays(db, { ...facts, from, to: recent }),
  );
  return [...past, ...(await readDays(db, { ...facts, from: recent, to: now }))];
}

/** Null if the newest sample is old, or has no player count. */
function playersOf(
  { sample, sampledAt }: MonitoredServer,
  status: DerivedStatus,
  now: Instant,
): number | null {
  const isFresh = sampledAt !== null && Math.abs(now - sampledAt) <= 2 * onlineWithinMs;
  return status.status === "online" && isFresh ? (sample?.player_count ?? null) : null;
}

const publicWindow = ({ startedAt, endsAt }: PastWindow, inProgressSince: Instant | null): PublicWindow => ({
  from: toTimestamp(startedAt),
  to: toTimestamp(endsAt),
  in_progress: startedAt === inProgressSince,
});

async function publicServer(
  db: Database,
  request: ServerRequest,
  { name, showsPlayers }: { readonly name: string; readonly showsPlayers: boolean },
): Promise<PublicServer> {
  const { server, status, from, now, windows } = request;
  const { id } = server;
  const health = await db.read(storedHealthOf, id);
  const window = windowAt(await db.read(maintenanceOf, id), now);
  const inProgressSince = window?.startedAt ?? null;
  const filter = {
    from,
    to: null,
    category: null,
    severity: null,
    source: ownSource,
    type: "health_changed",
  };
  const incidents = incidentsOf(await db.read(selectEvents, id, filter, null, mostTurns), {
    health,
    unmonitoredSince: status.state === "not_monitored" ? (server.lastHeartbeat ?? 0) : null,
  });
  const days = await daysOf(db, request);
  return {
    name,
    state: publicStateOf(status.state, inProgressSince !== null, health, server.lastHeartbeat),
    players: showsPlayers ? playersOf(server, status, now) : null,
    percent: percentOfDays(days),
    days: days.map(publicDay),
    incidents: incidents.slice(0, mostIncidents),
    more_incidents: Math.max(0, incidents.length - mostIncidents),
    maintenance: windows
      .filter(({ startedAt, endsAt }) => endsAt > from && startedAt <= now)
      .toReversed()
      .slice(0, mostWindows)
      .map((past) => publicWindow(past, inProgressSince)),
  };
}

/** Omits servers that the page's owner no longer has. Other work runs between two servers. */
export async function readPublicStatus(
  db: Database,
  page: StatusPageRecord,
  request: PublicStatusRequest,
): Promise<PublicStatus> {
  const { plans, now } = request;
  const servers: PublicServer[] = [];
  let first = utcDay(now);
  const pace = pacer();
  for (const { server_id, name } of page.servers) {
    await pace();
    const server = await db.read(monitoredServer, server_id);
    if (server?.accountId !== page.accountId) continue;
    const limits = plans[server.ownerPlan];
    const days = Math.min(mostStatusDays, Math.max(1, limits.retention_days));
    const from = utcDay(now) - (days - 1) * dayMs;
    first = Math.min(first, from);
    const windows = await db.read(pastWindowsOf, server.id, from, now);
    const asked = { ...request, server, status: derivedStatus(server, limits, now), from, windows };
    servers.push(await publicServer(db, asked, { name, showsPlayers: page.showsPlayers }));
  }
  return {
    title: page.title,
    generated_at: toTimestamp(now),
    first_day: toTimestamp(first).slice(0, 10),
    servers,
  };
}
