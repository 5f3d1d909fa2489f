import { JobStage, JobStatus, JobTrigger, type JobRecord } from "../../core/auto-bench/job.ts";
import { TargetKind, type TargetRecord } from "../../core/auto-bench/target.ts";
import { reported, settle } from "../../core/auto-bench/transitions.ts";
import { BenchmarkMode } from "../../core/report/report.ts";
import type { Instant } from "../../core/time.ts";
import { one, run, type Result, type Step } from "../engine/database.ts";
import { forUpdate, query } from "../engine/query.ts";
import type { Tables } from "../schema/tables.ts";

type Row<Name extends keyof Tables> = Pick<Tables[Name], keyof Tables[Name]>;
/** All but whether the server was judged after it, which is the affair of `regressions.ts`. */
export type JobRow = Omit<Row<"auto_bench_job">, "judged_at">;
export type TargetRow = Row<"auto_bench_target">;

export const toJobRecord = (row: JobRow): JobRecord => ({
  id: row.id,
  targetId: row.target_id,
  accountId: row.account_id,
  serverId: row.server_id,
  trigger: JobTrigger.parse(row.launched_by),
  status: JobStatus.parse(row.status),
  nonce: row.nonce,
  runnerId: row.runner_id,
  agentId: row.agent_id,
  percent: row.percent ?? 0,
  stage: JobStage.parse(row.stage),
  runIndex: row.run_index,
  runsTotal: row.runs_total,
  requeued: row.requeued === 1,
  cancelRequested: row.cancel_requested === 1,
  errorCode: row.error_code,
  queuedAt: row.queued_at,
  claimedAt: row.claimed_at,
  startedAt: row.started_at,
  lastSeenAt: row.last_seen_at,
  finishedAt: row.finished_at,
  updatedAt: row.updated_at,
});

export const jobRowOf = (job: JobRecord): JobRow => ({
  id: job.id,
  target_id: job.targetId,
  account_id: job.accountId,
  server_id: job.serverId,
  launched_by: job.trigger,
  status: job.status,
  nonce: job.nonce,
  runner_id: job.runnerId,
  agent_id: job.agentId,
  percent: job.percent,
  stage: job.stage,
  run_index: job.runIndex,
  runs_total: job.runsTotal,
  requeued: job.requeued ? 1 : 0,
  cancel_requested: job.cancelRequested ? 1 : 0,
  error_code: job.errorCode,
  queued_at: job.queuedAt,
  claimed_at: job.claimedAt,
  started_at: job.startedAt,
  last_seen_at: job.lastSeenAt,
  finished_at: job.finishedAt,
  updated_at: job.updatedAt,
});

export const toTargetRecord = (row: TargetRow): TargetRecord => ({
  id: row.id,
  accountId: row.account_id,
  serverId: row.server_id,
  kind: TargetKind.parse(row.kind),
  name: row.name,
  enabled: row.enabled === 1,
  mode: BenchmarkMode.parse(row.benchmark_mode),
  runsPerJob: row.runs_per_job,
  scheduleCron: row.schedule_cron,
  nextRunAt: row.next_run_at,
  notes: row.notes,
  consecutiveFailures: row.consecutive_failures,
  disabledReason: row.disabled_reason === null ? null : "consecutive_failures",
  lastLaunchedAt: row.last_launched_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const findTargetLocked = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("auto_bench_target").selectAll().where("id", "=", $.id)),
);

/**
 * Everything about a target and its job in flight waits for this. A job is locked after its target and never
 * before, so that nobody waits in a circle.
 */
export function* lockTarget(id: string): Generator<Step, TargetRecord | null, Result> {
  const row = yield* one(findTargetLocked, { id });
  return row && toTargetRecord(row);
}

type TargetChange = Pick<
  TargetRow,
  | "id"
  | "name"
  | "enabled"
  | "benchmark_mode"
  | "runs_per_job"
  | "schedule_cron"
  | "next_run_at"
  | "notes"
  | "consecutive_failures"
  | "disabled_reason"
  | "last_launched_at"
  | "updated_at"
>;

const updateTarget = query<TargetChange>()((db, $) =>
  db
    .updateTable("auto_bench_target")
    .set({
      name: $.name,
      enabled: $.enabled,
      benchmark_mode: $.benchmark_mode,
      runs_per_job: $.runs_per_job,
      schedule_cron: $.schedule_cron,
      next_run_at: $.next_run_at,
      notes: $.notes,
      consecutive_failures: $.consecutive_failures,
      disabled_reason: $.disabled_reason,
      last_launched_at: $.last_launched_at,
      updated_at: $.updated_at,
    })
    .where("id", "=", $.id),
);

export function* saveTarget(target: TargetRecord): Generator<Step, void, Result> {
  yield* run(updateTarget, {
    id: target.id,
    name: target.name,
    enabled: target.enabled ? 1 : 0,
    benchmark_mode: target.mode,
    runs_per_job: target.runsPerJob,
    schedule_cron: target.scheduleCron,
    next_run_at: target.nextRunAt,
    notes: target.notes,
    consecutive_failures: target.consecutiveFailures,
    disabled_reason: target.disabledReason,
    last_launched_at: target.lastLaunchedAt,
    updated_at: target.updatedAt,
  });
}

const findJob = query<{ id: string }>()((db, $) =>
  db.selectFrom("auto_bench_job").selectAll().where("id", "=", $.id),
);
const findJobLocked = query<{ id: string }>()((db, $, dialect) =>
  forUpdate(dialect, db.selectFrom("auto_bench_job").selectAll().where("id", "=", $.id)),
);
const findHeldLocked = query<{ nonce: string; server: string }>()((db, $, dialect) =>
  forUpdate(
    dialect,
    db
      .selectFrom("auto_bench_job")
      .selectAll()
      .where("nonce", "=", $.nonce)
      .where("server_id", "=", $.server),
  ),
);

const updateJob = query<JobRow>()((db, $) =>
  db
    .updateTable("auto_bench_job")
    .set({
      status: $.status,
      nonce: $.nonce,
      runner_id: $.runner_id,
      agent_id: $.agent_id,
      percent: $.percent,
      stage: $.stage,
      run_index: $.run_index,
      requeued: $.requeued,
      cancel_requested: $.cancel_requested,
      error_code: $.error_code,
      claimed_at: $.claimed_at,
      started_at: $.started_at,
      last_seen_at: $.last_seen_at,
      finished_at: $.finished_at,
      updated_at: $.updated_at,
    })
    .where("id", "=", $.id),
);

export function* saveJob(job: JobRecord): Generator<Step, void, Result> {
  yield* run(updateJob, jobRowOf(job));
}

/** The job as it stands, not held; null when there is none. */
export function* benchJobById(id: string): Generator<Step, JobRecord | null, Result> {
  const row = yield* one(findJob, { id });
  return row && toJobRecord(row);
}

/** The job, held until the transaction ends; the caller holds its target. */
export function* lockBenchJob(id: string): Generator<Step, JobRecord | null, Result> {
  const row = yield* one(findJobLocked, { id });
  return row && toJobRecord(row);
}

/** The job that a report of that server with that nonce belongs to; null when none takes it. */
export function* takeReport(
  nonce: string,
  server: string,
  now: Instant,
): Generator<Step, string | null, Result> {
  const row = yield* one(findHeldLocked, { nonce, server });
  if (!row) return null;
  const job = toJobRecord(row);
  // A job that ran out of time is over, even before its row says so.
  const current = settle(job, now);
  const after = reported(current, now);
  if (!after) return null;
  yield* saveJob({ ...job, ...after });
  return job.id;
}
