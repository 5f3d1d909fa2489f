import type { AutoBenchJob } from "./job.ts";
import type { AutoBenchTarget } from "./target.ts";

export const exampleJob: AutoBenchJob = {
  id: "019a9f5e-1d00-7000-8000-000000000081",
  target_id: "019a9f5e-1d00-7000-8000-000000000080",
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  trigger: "run_now",
  status: "running",
  progress: { percent: 40, stage: "running_tests", run_index: 2, runs_total: 3 },
  report_id: "019a9f5e-1d00-7000-8000-000000000030",
  report_ids: ["019a9f5e-1d00-7000-8000-000000000030"],
  cancel_requested: false,
  error_code: null,
  queued_at: "2026-11-20T07:20:00.000Z",
  claimed_at: "2026-11-20T07:20:04.000Z",
  started_at: "2026-11-20T07:21:10.000Z",
  finished_at: null,
  updated_at: "2026-11-20T07:33:55.000Z",
};

export const exampleTarget: AutoBenchTarget = {
  id: exampleJob.target_id,
  name: "Lobby, every night",
  kind: "scheduled",
  internal: false,
  server_id: exampleJob.server_id,
  server_name: "Lobby",
  enabled: true,
  benchmark_mode: "standard",
  runs_per_job: 3,
  schedule_cron: "30 4 * * *",
  schedule_timezone: "UTC",
  next_run_at: "2026-11-21T04:30:00.000Z",
  notes: null,
  consecutive_failures: 0,
  disabled_reason: null,
  last_job: { id: exampleJob.id, status: "running", finished_at: null, report_id: exampleJob.report_id },
  job_in_flight_id: exampleJob.id,
  created_at: "2026-10-01T09:00:00.000Z",
  updated_at: "2026-11-20T07:20:00.000Z",
};
