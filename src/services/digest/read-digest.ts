import type { PlanLimits } from "../../core/access/plan.ts";
import type { DigestFacts, DigestServer } from "../../core/digest/facts.ts";
import { ownSource, timelineAt, type AccountEventRecord } from "../../core/event/server-event.ts";
import type { HealthVerdict } from "../../core/health/health.ts";
import { fleetHealthOf, type FleetHealth } from "../../core/monitoring/fleet-health.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { softwareEventTypes } from "../../core/software/changes.ts";
import type { Instant } from "../../core/time.ts";
import { selectWeekAlerts } from "../../store/digest/noisiest-rule.ts";
import type { Database } from "../../store/engine/database.ts";
import { readFleetHead } from "../monitoring/read-overview.ts";
import { readAvailability } from "../health/read-availability.ts";
import { readTogether } from "../health/read-together.ts";
import { readVerdictFacts } from "../health/read-verdict-facts.ts";
import { newestEvents } from "../event/newest-events.ts";

export interface DigestRequest {
  readonly accountId: string;
  readonly limits: PlanLimits;
  readonly from: Instant;
  readonly to: Instant;
  readonly now: Instant;
  /** When the server's benchmark regression began; null if there is none. */
  readonly regressionSince: (server: MonitoredServer) => Promise<Instant | null>;
}

/** Most servers in a digest, the worst first; the answer says how many more there are. */
const mostServers = 250;
/** Most servers with a next step, because each is evaluated once more. */
const mostWithSteps = 5;
const mostEntries = 2000;

const withSteps = new Set<HealthVerdict>(["down", "critical", "degraded"]);

/** The service's own entries of one type in the week, newest first; `isComplete`: all of them. */
async function entriesOf(db: Database, { accountId, from, to }: DigestRequest, type: string) {
  const filter = { from, to, category: null, severity: null, source: ownSource, type };
  const entries = await newestEvents(db, accountId, null, filter, null, mostEntries);
  return { entries, isComplete: entries.length < mostEntries };
}

/** First step of each server's leading finding, as `GET /servers/{id}/health` gives it for 24 hours. */
async function firstStepsOf(
  db: Database,
  ids: readonly string[],
  { now, limits, regressionSince }: DigestRequest,
): Promise<ReadonlyMap<string, DigestServer["step"]>> {
  const steps = new Map<string, DigestServer["step"]>();
  for (const read of await readTogether(db, ids, now, rethrown)) {
    const { server } = read;
    const request = { ...read, limits, now, regressionSince: await regressionSince(server) };
    const { findings } = await readVerdictFacts(db, request);
    steps.set(server.id, findings[0]?.next[0]?.action ?? null);
  }
  return steps;
}

/** A digest is complete or not sent. */
function rethrown(error: unknown): never {
  throw error;
}

async function serversOf(
  db: Database,
  rows: FleetHealth["data"],
  byId: ReadonlyMap<string, MonitoredServer>,
  request: DigestRequest,
): Promise<DigestServer[]> {
  const worst = rows.slice(0, mostWithSteps).filter(({ verdict }) => withSteps.has(verdict));
  const steps = await firstStepsOf(
    db,
    worst.map(({ server_id }) => server_id),
    request,
  );
  const known = await readAvailability(
    db,
    rows.flatMap(({ server_id }) => byId.get(server_id) ?? []),
    request,
  );
  const servers: DigestServer[] = [];
  for (const row of rows) {
    const { server_id, name, verdict, since, reasons, headline } = row;
    const availability = known.get(server_id);
    if (!availability) continue;
    const step = steps.get(server_id) ?? null;
    servers.push({ server_id, name, verdict, since, reasons, headline, availability, step });
  }
  return servers;
}

const newestFirst = (one: AccountEventRecord, other: AccountEventRecord): number =>
  timelineAt(other) - timelineAt(one);

/** Null for an account without a monitored server. Other work runs between two reads. */
export async function readDigest(db: Database, request: DigestRequest): Promise<DigestFacts | null> {
  const { accountId, limits, from, to, now } = request;
  const asked = { includeUnmonitored: false, watched: null, top: mostServers };
  const head = await readFleetHead(db, accountId, asked, limits, now);
  const { data, totals } = fleetHealthOf(head, limits, now);
  const monitored = totals.servers - totals.not_monitored;
  if (monitored === 0) return null;
  const rows = data.filter(({ headline }) => headline.code !== "not_monitored");
  const byId = new Map(head.fleet.servers.map((server) => [server.id, server]));
  const servers = await serversOf(db, rows, byId, request);
  const turns = await entriesOf(db, request, "health_changed");
  const changes: AccountEventRecord[] = [];
  let isComplete = turns.isComplete;
  for (const type of softwareEventTypes) {
    const found = await entriesOf(db, request, type);
    changes.push(...found.entries);
    isComplete &&= found.isComplete;
  }
  return {
    from,
    to,
    totals,
    servers,
    moreServers: monitored - servers.length,
    openAlerts: head.standings.reduce((sum, { openAlerts }) => sum + openAlerts, 0),
    turns: turns.entries,
    changes: changes.toSorted(newestFirst),
    isComplete,
    alerts: await db.read(selectWeekAlerts, accountId, from, to),
  };
}
