import { JobStage, JobStatus, JobTrigger } from "../../core/auto-bench/job.ts";
import { TargetKind } from "../../core/auto-bench/target.ts";
import { BenchmarkMode } from "../../core/report/report.ts";
import {
  flag,
  instant,
  integer,
  mapped,
  oneOf,
  table,
  text,
  type OwnRowOf,
  type RowOf,
} from "../engine/table.ts";

export const targetTable = table("auto_bench_target", {
  id: text,
  account_id: text,
  server_id: text,
  offer_id: text.nullable.aside,
  kind: oneOf(TargetKind),
  name: text,
  enabled: flag,
  benchmark_mode: oneOf(BenchmarkMode).as("mode"),
  runs_per_job: integer,
  schedule_cron: text.nullable,
  next_run_at: instant.nullable,
  notes: text.nullable,
  consecutive_failures: integer,
  disabled_reason: mapped<"consecutive_failures" | null, string | null>(
    "text",
    (stored) => (stored === null ? null : "consecutive_failures"),
    (value) => value,
  ),
  last_launched_at: instant.nullable,
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.nullable.aside,
});

export const runnerTable = table("runner", {
  id: text,
  name: text,
  digest: text.aside,
  created_at: instant,
  revoked_at: instant.nullable,
  last_used_at: instant.nullable,
});

export const autoBenchJobTable = table("auto_bench_job", {
  id: text,
  target_id: text,
  account_id: text,
  server_id: text,
  launched_by: oneOf(JobTrigger).as("trigger"),
  status: oneOf(JobStatus),
  nonce: text,
  runner_id: text.nullable,
  agent_id: text.nullable,
  percent: mapped<number, number | null>(
    "integer",
    (stored) => stored ?? 0,
    (value) => value,
  ),
  stage: mapped<JobStage, string | null>(
    "text",
    (stored) => JobStage.parse(stored),
    (value) => value,
  ),
  run_index: integer.nullable,
  runs_total: integer,
  requeued: flag,
  cancel_requested: flag,
  error_code: text.nullable,
  queued_at: instant,
  claimed_at: instant.nullable,
  started_at: instant.nullable,
  last_seen_at: instant.nullable,
  finished_at: instant.nullable,
  updated_at: instant,
  /** When the server was judged for regressions after this job (see `regressions.ts`). */
  judged_at: instant.nullable.aside,
});

export type TargetRow = OwnRowOf<typeof targetTable>;
export type JobRow = OwnRowOf<typeof autoBenchJobTable>;

export interface AutoBenchTables {
  auto_bench_target: RowOf<typeof targetTable>;
  runner: RowOf<typeof runnerTable>;
  auto_bench_job: RowOf<typeof autoBenchJobTable>;
}
