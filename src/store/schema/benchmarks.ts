import type { Flag } from "./monitoring.ts";

interface ProviderTable {
  id: string;
  name: string;
  url: string | null;
}

interface OfferTable {
  id: string;
  provider_id: string;
  name: string;
  type: string;
  cpu_name: string | null;
  cpu_cores: number | null;
  ram_gb: number | null;
  disk_type: string | null;
  disk_gb: number | null;
  location: string | null;
  price_eur_cents: number | null;
  url: string | null;
  certified_report_id: string | null;
  certified_at: number | null;
  certificate_expires_at: number | null;
  disputed_at: number | null;
  updated_at: number;
}

interface AutoBenchTargetTable {
  id: string;
  account_id: string;
  server_id: string;
  offer_id: string | null;
  kind: string;
  name: string;
  enabled: Flag;
  benchmark_mode: string;
  runs_per_job: number;
  schedule_cron: string | null;
  next_run_at: number | null;
  notes: string | null;
  consecutive_failures: number;
  disabled_reason: string | null;
  last_launched_at: number | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

interface RunnerTable {
  id: string;
  name: string;
  digest: string;
  created_at: number;
  revoked_at: number | null;
  last_used_at: number | null;
}

interface AutoBenchJobTable {
  id: string;
  target_id: string;
  account_id: string;
  server_id: string;
  launched_by: string;
  status: string;
  nonce: string;
  runner_id: string | null;
  agent_id: string | null;
  percent: number | null;
  stage: string | null;
  run_index: number | null;
  runs_total: number;
  requeued: Flag;
  cancel_requested: Flag;
  error_code: string | null;
  queued_at: number;
  claimed_at: number | null;
  started_at: number | null;
  last_seen_at: number | null;
  finished_at: number | null;
  updated_at: number;
  judged_at: number | null;
}

export interface BenchmarkTables {
  provider: ProviderTable;
  offer: OfferTable;
  auto_bench_target: AutoBenchTargetTable;
  runner: RunnerTable;
  auto_bench_job: AutoBenchJobTable;
}
