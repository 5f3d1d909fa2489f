import type { TargetFilter } from "../../core/auto-bench/records.ts";
import type { TimePosition } from "../../core/position.ts";
import { sql } from "kysely";
import { JobStatus } from "../../core/auto-bench/job.ts";
import type { TargetRecord, ShownTarget } from "../../core/auto-bench/target.ts";
import type { Instant } from "../../core/time.ts";
import type { RowOf } from "../engine/table.ts";
import { targetTable, type TargetRow } from "./tables.ts";
import { type Work, all, one, run } from "../engine/database.ts";
import { fromTop, placesOf, query, type Builder } from "../engine/query.ts";

/** Targets of a server that moved to another account stay with the old account, and are not shown. */
const targets = (db: Builder) =>
  db
    .selectFrom("auto_bench_target as t")
    // SQLite keeps a cross join's order; otherwise it would start with all servers of the account.
    .crossJoin("server as s")
    .leftJoin("auto_bench_job as l", (join) =>
      join.on("l.id", "=", (eb) =>
        eb
          .selectFrom("auto_bench_job as n")
          .select("n.id")
          .whereRef("n.target_id", "=", "t.id")
          .orderBy("n.queued_at", "desc")
          .orderBy("n.id", "desc")
          .limit(1),
      ),
    )
    .selectAll("t")
    .whereRef("s.id", "=", "t.server_id")
    .whereRef("s.account_id", "=", "t.account_id")
    .where("t.deleted_at", "is", null)
    .select([
      "s.name as server_name",
      "l.id as last_id",
      "l.status as last_status",
      "l.finished_at as last_finished_at",
    ])
    .select((eb) => [
      eb
        .selectFrom("report as r")
        .select("r.id")
        .whereRef("r.job_id", "=", "l.id")
        .orderBy("r.created_at", "desc")
        .orderBy("r.id", "desc")
        .limit(1)
        .as("last_report_id"),
      eb
        .selectFrom("auto_bench_job as f")
        .select("f.id")
        .whereRef("f.target_id", "=", "t.id")
        .where("f.finished_at", "is", null)
        .as("in_flight_id"),
    ]);

interface Row extends TargetRow {
  server_name: string | null;
  last_id: string | null;
  last_status: string | null;
  last_finished_at: number | null;
  last_report_id: string | null;
  in_flight_id: string | null;
}

const toShown = (row: Row): ShownTarget => ({
  ...targetTable.toRecord(row),
  serverName: row.server_name,
  lastJob:
    row.last_id === null
      ? null
      : {
          id: row.last_id,
          status: JobStatus.parse(row.last_status),
          finishedAt: row.last_finished_at,
          reportId: row.last_report_id,
        },
  jobInFlightId: row.in_flight_id,
});

const list = query<{
  account: string;
  enabled: number | null;
  internal: number;
  at: number;
  id: string;
  limit: number;
}>()((db, $) =>
  targets(db)
    .where("t.account_id", "=", $.account)
    .where(sql<boolean>`(cast(${$.enabled} as integer) is null or t.enabled = ${$.enabled})`)
    .where(sql<boolean>`(t.kind = 'scheduled' or cast(${$.internal} as integer) = 1)`)
    .where(sql<boolean>`(t.created_at, t.id) < (${$.at}, ${$.id})`)
    .orderBy("t.created_at", "desc")
    .orderBy("t.id", "desc")
    .limit($.limit),
);

const find = query<{ id: string; account: string }>()((db, $) =>
  targets(db).where("t.id", "=", $.id).where("t.account_id", "=", $.account),
);

const due = query<{ now: number; limit: number }>()((db, $) =>
  db
    .selectFrom("auto_bench_target")
    .select("id")
    .where("next_run_at", "<=", $.now)
    .orderBy("next_run_at")
    .limit($.limit),
);

const insert = query<RowOf<typeof targetTable>>()((db, $) =>
  db.insertInto("auto_bench_target").values(placesOf(targetTable.columns, $)),
);

/** Hides a target; its jobs stay. */
export const dropTarget = query<{ id: string; now: number }>()((db, $) =>
  db
    .updateTable("auto_bench_target")
    .set({ deleted_at: $.now, enabled: 0, next_run_at: null })
    .where("id", "=", $.id),
);

/** Null (404) if the account has no such target. */
export function* ownTarget(id: string, account: string): Work<ShownTarget | null> {
  const row = yield* one(find, { id, account });
  return row && toShown(row);
}

/** `offerId`: only for targets that the operator creates to measure an offer. */
export function* insertTarget(target: TargetRecord, offerId?: string): Work<void> {
  yield* run(insert, { ...targetTable.toRow(target), offer_id: offerId ?? null, deleted_at: null });
}

export function* selectTargets(
  account: string,
  { enabled, includeInternal }: TargetFilter,
  after: TimePosition | null,
  limit: number,
): Work<ShownTarget[]> {
  const rows = yield* all(list, {
    account,
    enabled: enabled === null ? null : Number(enabled),
    internal: Number(includeInternal),
    ...(after ?? fromTop),
    limit,
  });
  return rows.map(toShown);
}

export function* selectDueTargets(now: Instant, limit: number): Work<string[]> {
  return (yield* all(due, { now, limit })).map(({ id }) => id);
}
