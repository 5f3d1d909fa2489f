import { sql } from "kysely";
import { PlanName } from "../../core/access/plan.ts";
import type { BucketExtremes } from "../../core/health/calm.ts";
import { healthEventCategories, healthEventTypes } from "../../core/health/changes.ts";
import type { HealthVerdict } from "../../core/health/health.ts";
import type { StateBasis } from "../../core/server/status.ts";
import type { Instant } from "../../core/time.ts";
import { all, type Work } from "../engine/database.ts";
import { listedIds } from "../engine/listed-ids.ts";
import { query, type Builder } from "../engine/query.ts";
import { stateBasisOf, stateColumns } from "../server/state-rows.ts";
import { serverBaselineTable } from "./tables.ts";
import type { StoredBaseline } from "./baselines.ts";

/** A position in the walk over all monitored servers: by account, newest link first. */
export interface TurnPosition {
  readonly accountId: string;
  readonly linkedAt: Instant;
  readonly id: string;
}

/** A server with the facts that decide whether it is evaluated now. */
export interface TurnServer extends TurnPosition, StateBasis {
  readonly ownerPlan: PlanName;
  readonly ownerSuspended: boolean;
  readonly stored: {
    readonly verdict: HealthVerdict;
    readonly hasReasons: boolean;
    readonly evaluatedAt: Instant;
    readonly verdictFrom: Instant;
    readonly announced: HealthVerdict;
    readonly reopenedFrom: Instant | null;
  } | null;
  readonly baseline: StoredBaseline | null;
  readonly hasOpenAlert: boolean;
  /** Whether its timeline has an event that health is judged by since the previous bucket began. */
  readonly hasNewEntry: boolean;
}

type PageValues = { account: string; linked: number; id: string; limit: number; since: number };

const enabledServers = (db: Builder, $: { since: number; limit: number }) =>
  db
    .selectFrom("server as s")
    .innerJoin("account as a", "a.id", "s.account_id")
    .leftJoin("server_health as h", "h.server_id", "s.id")
    .leftJoin("server_baseline as b", "b.server_id", "s.id")
    .select([
      "s.id",
      "s.account_id",
      "s.linked_at",
      ...stateColumns,
      "a.plan",
      "a.role",
      "h.verdict",
      "h.reasons",
      "h.evaluated_at",
      "h.verdict_from",
      "h.announced",
      "h.reopened_from",
      "b.day",
      "b.baseline",
      "b.measured",
      "b.slow_state",
    ])
    .select(
      sql<number>`exists (select 1 from alert as o where o.server_id = s.id and o.status <> 'resolved')`.as(
        "has_alert",
      ),
    )
    .select(
      sql<number>`exists (select 1 from server_event as e
        where e.server_id = s.id and e.timeline_at >= ${$.since}
          and e.category in (${sql.join(healthEventCategories)})
          and e.type in (${sql.join(healthEventTypes)}))`.as("has_entry"),
    )
    .where("s.account_id", "is not", null)
    // With `= 1` SQLite does not see that the index has this order, and sorts every account for each page.
    .where("s.monitoring_enabled", ">", 0)
    .orderBy("s.account_id", "desc")
    .orderBy("s.monitoring_enabled", "desc")
    .orderBy("s.linked_at", "desc")
    .orderBy("s.id", "desc")
    .limit($.limit);

const firstPage = query<Omit<PageValues, "account" | "linked" | "id">>()((db, $) => enabledServers(db, $));

/** The condition names the columns of the index `server_of_account`, in its order. */
const nextPage = query<PageValues>()((db, $) =>
  enabledServers(db, $).where(
    sql<boolean>`(s.account_id, s.monitoring_enabled, s.linked_at, s.id) < (${$.account}, 1, ${$.linked}, ${$.id})`,
  ),
);

type PageRow = NonNullable<NonNullable<(typeof firstPage)["types"]>["row"]>;

function toTurnServer(row: PageRow): TurnServer {
  return {
    id: row.id,
    accountId: row.account_id ?? "",
    linkedAt: row.linked_at,
    ownerPlan: PlanName.parse(row.plan),
    ownerSuspended: row.role === "suspended",
    ...stateBasisOf(row),
    stored: storedIn(row),
    baseline: baselineIn(row),
    hasOpenAlert: Number(row.has_alert) === 1,
    hasNewEntry: Number(row.has_entry) === 1,
  };
}

function storedIn({
  verdict,
  reasons,
  evaluated_at,
  verdict_from,
  announced,
  reopened_from,
}: PageRow): TurnServer["stored"] {
  if (verdict === null || evaluated_at === null || verdict_from === null || announced === null) return null;
  return {
    // Sound: only this program writes both columns.
    verdict: verdict as HealthVerdict,
    announced: announced as HealthVerdict,
    hasReasons: reasons !== "[]",
    evaluatedAt: evaluated_at,
    verdictFrom: verdict_from,
    reopenedFrom: reopened_from,
  };
}

function baselineIn({ id, day, baseline, measured, slow_state }: PageRow): StoredBaseline | null {
  if (day === null || baseline === null || measured === null) return null;
  const {
    counts: _counts,
    heapLows: _heapLows,
    diskLows: _diskLows,
    checkpoint: _checkpoint,
    ...stored
  } = serverBaselineTable.toRecord({
    server_id: id,
    day,
    baseline,
    measured,
    slow_state,
    counts: "{}",
    heap_lows: null,
    checkpoint: null,
    disk_lows: null,
  });
  return stored;
}

/** The next monitored servers after a position. `entriesSince`: for `hasNewEntry`. */
export function* selectTurnPage(
  after: TurnPosition | null,
  entriesSince: Instant,
  limit: number,
): Work<TurnServer[]> {
  const values = { since: entriesSince, limit };
  const rows =
    after === null
      ? yield* all(firstPage, values)
      : yield* all(nextPage, {
          ...values,
          account: after.accountId,
          linked: after.linkedAt,
          id: after.id,
        });
  return rows.map(toTurnServer);
}

type ExtremesValues = { ids: string; from: number; to: number };

const extremesOfServers = query<ExtremesValues>()((db, $, dialect) =>
  db
    .selectFrom("sample as x")
    .select((eb) => [
      "x.server_id as id",
      eb.fn.max("x.sampled_at").as("newest_at"),
      eb.fn.min("x.tps").as("least_tps"),
      eb.fn.max("x.mspt").as("most_mspt"),
      eb.fn.max("x.mspt_region_avg").as("most_region_mspt"),
      eb.fn.max("x.mspt_p95").as("most_mspt_p95"),
      eb.fn.max("x.worst_tick_ms").as("worst_tick_ms"),
      eb.fn.min("x.player_count").as("least_players"),
      eb.fn.max("x.player_count").as("most_players"),
      eb.fn.max("x.ram_max_mb").as("ram_max_mb"),
      eb.fn.min("x.heap_after_gc_mb").as("least_heap_mb"),
      eb.fn.min("x.rss_mb").as("least_rss_mb"),
      eb.fn.min("x.target_tps").as("least_target_tps"),
      eb.fn.min("x.container_used_mb").as("least_container_used_mb"),
      eb.fn.max("x.container_limit_mb").as("container_mb"),
      eb.fn.min("x.disk_free_mb").as("least_disk_free_mb"),
      eb.fn.max("x.disk_total_mb").as("disk_mb"),
      eb.fn.min("x.backup_disk_free_mb").as("least_backup_free_mb"),
      eb.fn.max("x.backup_disk_total_mb").as("backup_disk_mb"),
      eb.fn.max("x.cpu_usage").as("cpu_usage"),
      eb.fn.max("x.cpu_system").as("cpu_system"),
      eb.fn.max("x.entity_count").as("most_entities"),
      eb.fn.max("x.loaded_chunks").as("most_chunks"),
      eb.fn.max("x.tile_entities").as("most_tile_entities"),
      eb.fn.sum<number | null>("x.gc_stw_ms").as("gc_ms"),
    ])
    // A subquery, because with a join SQLite would sort all samples by the ids of the list.
    .where("x.server_id", "in", db.selectFrom(listedIds(dialect, $.ids).as("w")).select("w.id"))
    .where("x.sampled_at", ">=", $.from)
    .where("x.sampled_at", "<", $.to)
    .groupBy("x.server_id"),
);

/** Extremes of the servers' samples from `from` to before `to`; servers without samples are absent. */
export function* selectExtremes(
  ids: readonly string[],
  from: Instant,
  to: Instant,
): Work<Map<string, BucketExtremes>> {
  const rows = yield* all(extremesOfServers, { ids: JSON.stringify(ids), from, to });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        newestAt: row.newest_at,
        leastTps: row.least_tps,
        mostMspt: row.most_mspt,
        mostRegionMspt: row.most_region_mspt,
        mostMsptP95: row.most_mspt_p95,
        worstTickMs: row.worst_tick_ms,
        leastPlayers: row.least_players,
        mostPlayers: row.most_players,
        ramMaxMb: row.ram_max_mb,
        leastHeapMb: row.least_heap_mb,
        leastRssMb: row.least_rss_mb,
        leastTargetTps: row.least_target_tps,
        leastContainerUsedMb: row.least_container_used_mb,
        containerMb: row.container_mb,
        leastDiskFreeMb: row.least_disk_free_mb,
        diskMb: row.disk_mb,
        leastBackupFreeMb: row.least_backup_free_mb,
        backupDiskMb: row.backup_disk_mb,
        cpuUsage: row.cpu_usage,
        cpuSystem: row.cpu_system,
        mostEntities: row.most_entities,
        mostChunks: row.most_chunks,
        mostTileEntities: row.most_tile_entities,
        gcMs: row.gc_ms,
      },
    ]),
  );
}
