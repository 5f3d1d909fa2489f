import type { PlanLimits } from "../../core/access/plan.ts";
import { availabilityOf } from "../../core/health/availability.ts";
import type { HealthFacts } from "../../core/health/facts.ts";
import type { Availability } from "../../core/health/health.ts";
import { longestMinutes } from "../../core/maintenance/maintenance.ts";
import { pastWindows, type PastWindow } from "../../core/maintenance/past-windows.ts";
import { concatenated } from "../../core/metric/concatenated.ts";
import type { MonitoredServer } from "../../core/server/server.ts";
import { dayMs, minuteMs, utcDay, type Instant } from "../../core/time.ts";
import { pacer } from "../../core/turns.ts";
import type { DatabaseReader } from "../../store/engine/database.ts";
import { selectFirstSampleTime } from "../../store/health/health-queries.ts";
import { selectPresences, type StoredPresence } from "../../store/health/presence-of-servers.ts";
import { selectLastSampleTimes, selectSampleTimes } from "../../store/health/times-of-servers.ts";
import { pastWindowsOf } from "../maintenance/past-windows-of.ts";
import { eventsBefore, stateAtEnd } from "./fact-parts.ts";
import { eventsOfSilence, readableEvents, readPresence } from "./read-presence.ts";

export interface AvailabilityRequest {
  readonly limits: PlanLimits;
  readonly from: Instant;
  readonly to: Instant;
  readonly now: Instant;
}

type Presence = Pick<HealthFacts, "sampleTimes" | "events" | "transitions" | "firstSampleAt"> & {
  readonly maintenance: readonly PastWindow[];
};

/** Servers read at once, and blocks (20 to 80 KB each) of them: 5 to 10 ms of the thread on SQLite. */
const serversAtOnce = 20;
const blocksAtOnce = 20;

/** The availability of each server, by id, as `GET /servers/{id}/health` gives it for the period. */
export async function readAvailability(
  db: DatabaseReader,
  servers: readonly MonitoredServer[],
  request: AvailabilityRequest,
): Promise<Map<string, Availability>> {
  const { from, to } = request;
  const found = new Map<string, Availability>();
  const pace = pacer();
  for (let first = 0; first < servers.length; first += serversAtOnce) {
    const part = servers.slice(first, first + serversAtOnce);
    const together = await readTogether(db, part, request);
    for (const server of part) {
      const presence = together?.get(server.id) ?? (await readAlone(db, server.id, request));
      const state = stateAtEnd({ server, ...request }, presence);
      found.set(server.id, availabilityOf({ from, to, ...state, ...presence }));
      await pace();
    }
  }
  return found;
}

/** Null if these servers have more rows than are read at once: then each is read alone. */
async function readTogether(
  db: DatabaseReader,
  servers: readonly MonitoredServer[],
  request: AvailabilityRequest,
): Promise<Map<string, Presence> | null> {
  const ids = servers.map(({ id }) => id);
  const span = {
    to: request.to,
    eventsFrom: eventsBefore(request),
    startsFrom: request.from - longestMinutes * minuteMs,
  };
  const stored = await db.read(selectPresences, ids, span);
  const times = stored && (await timesTogether(db, ids, request));
  if (!stored || !times) return null;
  const presences = new Map<string, Presence>();
  for (const [id, of] of stored)
    presences.set(id, await completed(db, id, of, times.get(id) ?? new Float64Array(0), request));
  return presences;
}

async function completed(
  db: DatabaseReader,
  server: string,
  { events: found, starts, maintenance, ...of }: StoredPresence,
  sampleTimes: Float64Array,
  request: AvailabilityRequest,
): Promise<Presence> {
  const { events, eventsFrom } = readableEvents(found, eventsBefore(request));
  // Few servers are silent for longer than events are read.
  const ofSilence = await eventsOfSilence(db, server, sampleTimes, { from: request.from, eventsFrom });
  return {
    ...of,
    sampleTimes,
    events: [...events, ...ofSilence],
    maintenance: pastWindows(starts, maintenance, request.to),
  };
}

/**
 * The times of all samples of each server, and of one or more before the period. Whole days are read, so that the day's
 * block tells the last one before the period too.
 */
async function timesTogether(
  db: DatabaseReader,
  ids: readonly string[],
  { from, to }: AvailabilityRequest,
): Promise<Map<string, Float64Array> | null> {
  const parts = new Map<string, Float64Array[]>(ids.map((id) => [id, []]));
  const days = Math.max(1, Math.floor(blocksAtOnce / ids.length));
  for (let start = utcDay(from); start < to;) {
    const end = Math.min(to, start + days * dayMs);
    const read = await db.read(selectSampleTimes, ids, start, end);
    if (read === null) return null;
    for (const [id, times] of read) parts.get(id)?.push(...times);
    start = end;
  }
  const times = new Map([...parts].map(([id, of]) => [id, inOrder(concatenated(Float64Array, of))]));
  const silentBefore = ids.filter((id) => (times.get(id)?.[0] ?? to) >= from);
  if (silentBefore.length > 0)
    for (const [id, at] of await db.read(selectLastSampleTimes, silentBefore, from))
      times.set(id, concatenated(Float64Array, [Float64Array.of(at), times.get(id) ?? new Float64Array(0)]));
  return times;
}

/** Segments of a block may overlap, where late samples came. */
function inOrder(times: Float64Array): Float64Array {
  for (let place = 1; place < times.length; place += 1)
    if ((times[place - 1] ?? 0) > (times[place] ?? 0)) return times.sort();
  return times;
}

async function readAlone(
  db: DatabaseReader,
  server: string,
  request: AvailabilityRequest,
): Promise<Presence> {
  const { from, to } = request;
  const { eventsFrom: _, ...presence } = await readPresence(db, server, {
    from,
    to,
    eventsFrom: eventsBefore(request),
  });
  return {
    ...presence,
    firstSampleAt: await db.read(selectFirstSampleTime, server),
    maintenance: await db.read(pastWindowsOf, server, from, to),
  };
}
