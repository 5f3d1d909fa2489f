import { sql } from "kysely";
import type { HealthVerdict } from "../../core/health/health.ts";
import type { Basis, KnownOfServer } from "../../core/monitoring/fleet-standing.ts";
import { all, one, type Work } from "../engine/database.ts";
import { query, type Builder } from "../engine/query.ts";
import { stateBasisOf, stateColumns } from "../server/state-rows.ts";

/** A server's place in its account's list: monitored ones first, then newest link first. */
export interface FleetPosition {
  readonly enabled: number;
  readonly linkedAt: number;
  readonly id: string;
}

export const fromTheFirst: FleetPosition = { enabled: 2, linkedAt: 0, id: "" };

type PartValues = {
  account: string;
  least: number;
  enabled: number;
  linked: number;
  id: string;
  limit: number;
};

/**
 * In the order of the index `server_of_account`. `least` 1 omits servers that are not monitored. A row comparison, so
 * that each part starts exactly where the last one ended.
 */
const partOf = (db: Builder, $: PartValues) =>
  db
    .selectFrom("server as s")
    .where("s.account_id", "=", $.account)
    .where("s.monitoring_enabled", ">=", $.least)
    .where(sql<boolean>`(s.monitoring_enabled, s.linked_at, s.id) < (${$.enabled}, ${$.linked}, ${$.id})`)
    .orderBy("s.monitoring_enabled", "desc")
    .orderBy("s.linked_at", "desc")
    .orderBy("s.id", "desc")
    .limit($.limit);

const places = query<PartValues>()((db, $) =>
  partOf(db, $).select(["s.id", "s.monitoring_enabled", "s.linked_at"]),
);

const standings = query<PartValues>()((db, $) =>
  partOf(db, $)
    .leftJoin("server_health as h", "h.server_id", "s.id")
    .select([
      "s.id",
      "s.name",
      "s.monitoring_enabled",
      "s.linked_at",
      ...stateColumns,
      "s.player_count",
      "s.ticks_late",
      "h.verdict",
      "h.since",
      "h.verdict_from",
      "h.evaluated_at",
    ])
    .select(
      sql<number>`case when exists (select 1 from alert_rule as r where r.server_id = s.id and r.enabled = 1)
        or exists (select 1 from event_rule as r where r.server_id = s.id and r.enabled = 1) then 1 else 0 end`.as(
        "has_rule",
      ),
    ),
);

/** The condition is written as in the partial index of alerts in progress, so that SQLite uses it. */
const alertCounts = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("alert as a")
    .select((eb) => ["a.server_id", eb.fn.countAll<number>().as("count")])
    .where("a.account_id", "=", $.account)
    .where("a.kind", "=", "threshold")
    .where(sql<boolean>`a.status <> 'resolved'`)
    .groupBy("a.server_id"),
);

const owner = query<{ account: string }>()((db, $) =>
  db
    .selectFrom("account as a")
    .select("a.role")
    .select((eb) =>
      eb
        .selectFrom("monitoring_order as o")
        .select((inner) => inner.fn.max<number | null>("o.position").as("position"))
        .whereRef("o.account_id", "=", "a.id")
        .as("enabled"),
    )
    .where("a.id", "=", $.account),
);

/** What servers of an account have in common. */
export interface FleetOwner {
  readonly ownerSuspended: boolean;
  readonly enabledServers: number;
  /** By server id: the threshold alerts in progress; a server without one has no entry. */
  readonly openAlerts: ReadonlyMap<string, number>;
}

export function* selectFleetOwner(account: string): Work<FleetOwner> {
  const found = yield* one(owner, { account });
  const counts = yield* all(alertCounts, { account });
  return {
    ownerSuspended: found?.role === "suspended",
    enabledServers: found?.enabled ?? 0,
    openAlerts: new Map(counts.map(({ server_id, count }) => [server_id, Number(count)])),
  };
}

export interface FleetSlice<T> {
  readonly servers: readonly T[];
  /** Null after the last one. */
  readonly next: FleetPosition | null;
}

const valuesOf = (
  account: string,
  includeUnmonitored: boolean,
  { enabled, linkedAt: linked, id }: FleetPosition,
  limit: number,
): PartValues => ({ account, least: includeUnmonitored ? 0 : 1, enabled, linked, id, limit });

interface PlacedRow {
  readonly id: string;
  readonly monitoring_enabled: number;
  readonly linked_at: number;
}

const endOf = (rows: readonly PlacedRow[], limit: number): FleetPosition | null => {
  const end = rows.length < limit ? undefined : rows.at(-1);
  return end === undefined ? null : { enabled: end.monitoring_enabled, linkedAt: end.linked_at, id: end.id };
};

export function* selectFleetIds(
  account: string,
  includeUnmonitored: boolean,
  from: FleetPosition,
  limit: number,
): Work<FleetSlice<string>> {
  const rows = yield* all(places, valuesOf(account, includeUnmonitored, from, limit));
  return { servers: rows.map(({ id }) => id), next: endOf(rows, limit) };
}

/** What decides the standing of a server, without what its owner decides. */
export interface StandingBasis {
  readonly server: Omit<Basis, "ownerSuspended" | "enabledRank" | "enabledServers">;
  readonly known: Omit<KnownOfServer, "openAlerts">;
}

type StandingRow = NonNullable<NonNullable<(typeof standings)["types"]>["row"]>;

const toBasis = (row: StandingRow): StandingBasis => ({
  server: {
    id: row.id,
    name: row.name,
    monitoringEnabled: row.monitoring_enabled === 1,
    ...stateBasisOf(row),
  },
  known: {
    playerCount: row.player_count,
    areTicksLate: row.ticks_late === 1,
    health:
      row.verdict === null || row.verdict_from === null || row.evaluated_at === null
        ? null
        : {
            // Sound: only this program writes the column.
            verdict: row.verdict as HealthVerdict,
            since: row.since,
            verdictFrom: row.verdict_from,
            evaluatedAt: row.evaluated_at,
          },
    hasEnabledRule: Number(row.has_rule) === 1,
  },
});

export function* selectStandings(
  account: string,
  includeUnmonitored: boolean,
  from: FleetPosition,
  limit: number,
): Work<FleetSlice<StandingBasis>> {
  const rows = yield* all(standings, valuesOf(account, includeUnmonitored, from, limit));
  return { servers: rows.map(toBasis), next: endOf(rows, limit) };
}
