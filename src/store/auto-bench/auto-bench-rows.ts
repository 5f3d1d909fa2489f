import type { JobRecord } from "../../core/auto-bench/job.ts";
import type { TargetRecord } from "../../core/auto-bench/target.ts";
import { type Work, one, run } from "../engine/database.ts";
import { forUpdate, placesOf, query } from "../engine/query.ts";
import { autoBenchJobTable, targetTable, type JobRow, type TargetRow } from "./tables.ts";

const findTargetLocked = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("auto_bench_target").selectAll().where("id", "=", $.id)),
);

/** Locks a target and its job in progress. A job is locked only after its target: no deadlock can occur. */
export function* lockTarget(id: string): Work<TargetRecord | null> {
  const row = yield* one(findTargetLocked, { id });
  return row && targetTable.toRecord(row);
}

const targetChange = [
  "name",
  "enabled",
  "benchmark_mode",
  "runs_per_job",
  "schedule_cron",
  "next_run_at",
  "notes",
  "consecutive_failures",
  "disabled_reason",
  "last_launched_at",
  "updated_at",
] as const;

const updateTarget = query<TargetRow>()((db, $) =>
  db.updateTable("auto_bench_target").set(placesOf(targetChange, $)).where("id", "=", $.id),
);

export function* saveTarget(target: TargetRecord): Work<void> {
  yield* run(updateTarget, targetTable.toRow(target));
}

const findJob = query<{ id: string }>()((db, $) =>
  db.selectFrom("auto_bench_job").selectAll().where("id", "=", $.id),
);
const findJobLocked = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("auto_bench_job").selectAll().where("id", "=", $.id)),
);

export const lockHeldJob = query<{ nonce: string; server: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db
      .selectFrom("auto_bench_job")
      .selectAll()
      .where("nonce", "=", $.nonce)
      .where("server_id", "=", $.server),
  ),
);

const jobChange = [
  "status",
  "nonce",
  "runner_id",
  "agent_id",
  "percent",
  "stage",
  "run_index",
  "requeued",
  "cancel_requested",
  "error_code",
  "claimed_at",
  "started_at",
  "last_seen_at",
  "finished_at",
  "updated_at",
] as const;

const updateJob = query<JobRow>()((db, $) =>
  db.updateTable("auto_bench_job").set(placesOf(jobChange, $)).where("id", "=", $.id),
);

export function* saveJob(job: JobRecord): Work<void> {
  yield* run(updateJob, autoBenchJobTable.toRow(job));
}

export function* benchJobById(id: string): Work<JobRecord | null> {
  const row = yield* one(findJob, { id });
  return row && autoBenchJobTable.toRecord(row);
}

/** Locked until the transaction ends. The caller must hold the target's lock. */
export function* lockBenchJob(id: string): Work<JobRecord | null> {
  const row = yield* one(findJobLocked, { id });
  return row && autoBenchJobTable.toRecord(row);
}
