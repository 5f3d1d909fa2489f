import { sql } from "kysely";
import { ownSource, timelineAt, type EventRecord } from "../../core/event/server-event.ts";
import { healthEventTypes, isOfHealth } from "../../core/health/changes.ts";
import { groupedBy } from "../../core/grouped.ts";
import type { MonitoringTransition } from "../../core/health/monitoring-transition.ts";
import { noMaintenance, type ServerMaintenance } from "../../core/maintenance/server-maintenance.ts";
import type { Instant } from "../../core/time.ts";
import { all, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { query } from "../engine/query.ts";
import { among } from "../metric/newest-of-servers.ts";
import { serverEventTable } from "../event/server-event-table.ts";
import { maintenanceOfServers } from "../maintenance/maintenance.ts";
import { selectFirstSampleTimes } from "./present-facts.ts";
import { monitoringTransitionTable } from "./tables.ts";

/** Most rows of one statement: about 10 ms of the thread on SQLite. */
const rowsAtOnce = 4000;

type Listed = {
  readonly ids: string;
  readonly types: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly each: number;
  readonly limit: number;
};

/** The newest of each of these types of each server: whatever the statistics say, an index finds these. */
const eventsOf = query<Listed>()((db, $, dialect) => {
  const ofType = db
    .selectFrom("server_event as x")
    .select("x.id")
    .where("x.server_id", "=", sql<string>`w.id`)
    .where(sql<boolean>`(x.type, x.timeline_at) >= (y.id, ${$.from})`)
    .where(sql<boolean>`(x.type, x.timeline_at) <= (y.id, ${$.to})`)
    .orderBy("x.type", "desc")
    .orderBy("x.timeline_at", "desc")
    .orderBy("x.id", "desc")
    .limit($.each);
  return db
    .selectFrom(listedIds(dialect, $.ids).as("w"))
    .crossJoin(listedIds(dialect, $.types).as("y"))
    .innerJoin("server_event as e", (join) => join.on(among(sql.ref("e.id"), ofType, dialect)))
    .select(serverEventTable.of("e"))
    .limit($.limit);
});

const healthTypes = JSON.stringify(healthEventTypes);
const startTypes = JSON.stringify(["maintenance_start"]);

const transitionsOf = query<{ ids: string; to: number; limit: number }>()((db, $, dialect) =>
  db
    .selectFrom("monitoring_transition as t")
    .innerJoin(listedIds(dialect, $.ids).as("w"), "w.id", "t.server_id")
    .select(["t.server_id", "t.at", "t.kind"])
    .where("t.at", "<", $.to)
    .limit($.limit),
);

/** What the availability of a server depends on, besides its samples. */
export interface StoredPresence {
  readonly firstSampleAt: Instant | null;
  /** Events that health is judged by, newest first. */
  readonly events: readonly EventRecord[];
  /** Oldest first. */
  readonly transitions: readonly MonitoringTransition[];
  /** Starts of maintenance, newest first. */
  readonly starts: readonly EventRecord[];
  readonly maintenance: ServerMaintenance;
}

export interface PresenceSpan {
  readonly to: Instant;
  readonly eventsFrom: Instant;
  /** From when starts of maintenance are read. */
  readonly startsFrom: Instant;
}

const newestFirst = (one: EventRecord, other: EventRecord): number =>
  timelineAt(other) - timelineAt(one) || (one.id < other.id ? 1 : -1);

const eventsByServer = (events: readonly EventRecord[]): Map<string, EventRecord[]> =>
  groupedBy(events.toSorted(newestFirst), ({ serverId }) => serverId);

const isOwn = ({ source }: EventRecord): boolean => source === ownSource;
/** Later than any entry. */
const farAway = Number.MAX_SAFE_INTEGER;

/** Six statements for all; null if these servers have more rows than are read at once. */
export function* selectPresences(
  ids: readonly string[],
  { to, eventsFrom, startsFrom }: PresenceSpan,
): Work<Map<string, StoredPresence> | null> {
  const listed = { ids: JSON.stringify(ids), limit: rowsAtOnce };
  const found = { ...listed, each: rowsAtOnce };
  const events = yield* all(eventsOf, { ...found, types: healthTypes, from: eventsFrom, to });
  const starts = yield* all(eventsOf, { ...found, types: startTypes, from: startsFrom, to: farAway });
  const transitions = yield* all(transitionsOf, { ...listed, to });
  if ([events, starts, transitions].some((rows) => rows.length >= rowsAtOnce)) return null;
  const firsts = yield* selectFirstSampleTimes(ids);
  const windows = yield* maintenanceOfServers(ids);
  const eventsOfId = eventsByServer(events.map(serverEventTable.toRecord).filter(isOfHealth));
  const startsOfId = eventsByServer(starts.map(serverEventTable.toRecord).filter(isOwn));
  const turns = transitions
    .map(monitoringTransitionTable.toRecord)
    .toSorted((one, other) => one.at - other.at || (one.kind < other.kind ? -1 : 1));
  const turnsOfId = groupedBy(turns, ({ serverId }) => serverId);
  return new Map(
    ids.map((id) => [
      id,
      {
        firstSampleAt: firsts.get(id) ?? null,
        events: eventsOfId.get(id) ?? [],
        transitions: (turnsOfId.get(id) ?? []).map(({ at, kind }) => ({ at, kind })),
        starts: startsOfId.get(id) ?? [],
        maintenance: windows.get(id) ?? noMaintenance,
      },
    ]),
  );
}
