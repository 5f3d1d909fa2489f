import type { AutoBenchTarget } from "../../../core/auto-bench/target.ts";

/** The target the examples of these endpoints speak of. */
export const exampleTarget: AutoBenchTarget = {
  id: "019a9f5e-1d00-7000-8000-000000000080",
  name: "Lobby, every night",
  kind: "scheduled",
  internal: false,
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
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
  last_job: null,
  job_in_flight_id: null,
  created_at: "2026-10-01T09:00:00.000Z",
  updated_at: "2026-10-01T09:00:00.000Z",
};
