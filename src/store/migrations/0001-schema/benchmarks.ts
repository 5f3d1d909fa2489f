export const benchmarkTables: readonly string[] = [
  `CREATE TABLE report (
      id TEXT PRIMARY KEY, short_id TEXT NOT NULL UNIQUE, author_id TEXT, server_id TEXT, local_id TEXT NOT NULL,
      visibility TEXT NOT NULL, source TEXT NOT NULL, benchmark_mode TEXT NOT NULL, server_type TEXT,
      certified_at BIGINT, certificate_expires_at BIGINT, created_at BIGINT NOT NULL, finished_at BIGINT NOT NULL,
      expires_at BIGINT, description TEXT, private_notes TEXT, content TEXT NOT NULL, payload TEXT NOT NULL,
      job_id TEXT, label TEXT, UNIQUE (server_id, local_id))`,
  "CREATE INDEX report_of_author ON report (author_id, created_at, id)",
  "CREATE INDEX report_expiring ON report (expires_at) WHERE expires_at IS NOT NULL",
  "CREATE INDEX report_of_job ON report (job_id, created_at, id)",
  "CREATE INDEX report_of_server ON report (server_id, finished_at)",
  "CREATE INDEX report_public ON report (id) WHERE visibility = 'public'",
  "CREATE INDEX report_public_newest ON report (created_at, id) WHERE visibility = 'public'",
  "CREATE INDEX report_public_by_type ON report (server_type, created_at, id) WHERE visibility = 'public'",
  "CREATE INDEX report_public_by_both ON report (server_type, benchmark_mode, created_at, id) WHERE visibility = 'public'",
  "CREATE INDEX report_public_by_mode ON report (benchmark_mode, created_at, id) WHERE visibility = 'public'",
  "CREATE INDEX report_certified ON report (certificate_expires_at) WHERE visibility = 'unlisted'",
  "CREATE INDEX report_of_author_by_type ON report (author_id, server_type, created_at, id)",
  "CREATE INDEX report_of_author_by_both ON report (author_id, server_type, benchmark_mode, created_at, id)",
  "CREATE INDEX report_of_author_by_mode ON report (author_id, benchmark_mode, created_at, id)",
  "CREATE INDEX report_of_server_by_author ON report (server_id, author_id, created_at, id)",
  "CREATE INDEX report_of_server_newest ON report (server_id, created_at, id)",
  "CREATE INDEX report_of_author_by_visibility ON report (author_id, visibility, created_at, id)",

  `CREATE TABLE report_standing (
      algorithm_version TEXT NOT NULL, benchmark_mode TEXT NOT NULL, counted_at BIGINT NOT NULL, ranks TEXT NOT NULL,
      PRIMARY KEY (algorithm_version, benchmark_mode))`,

  `CREATE TABLE unit_test (
      id TEXT PRIMARY KEY, short_id TEXT NOT NULL UNIQUE, author_id TEXT, server_id TEXT, local_id TEXT NOT NULL,
      parent_report_id TEXT, job_id TEXT, test_id TEXT NOT NULL, category TEXT, benchmark_mode TEXT NOT NULL,
      visibility TEXT NOT NULL, source TEXT NOT NULL, tested_at BIGINT, created_at BIGINT NOT NULL, expires_at BIGINT,
      content TEXT NOT NULL, UNIQUE (server_id, local_id))`,
  "CREATE INDEX unit_test_newest ON unit_test (created_at, id)",
  "CREATE INDEX unit_test_of_author ON unit_test (author_id, created_at, id)",
  "CREATE INDEX unit_test_of_server ON unit_test (server_id, created_at, id)",
  "CREATE INDEX unit_test_of_report ON unit_test (parent_report_id, created_at, id)",
  "CREATE INDEX unit_test_expiring ON unit_test (expires_at) WHERE expires_at IS NOT NULL",

  `CREATE TABLE provider (id TEXT PRIMARY KEY, name TEXT NOT NULL, url TEXT)`,

  `CREATE TABLE offer (
      id TEXT PRIMARY KEY, provider_id TEXT NOT NULL REFERENCES provider (id), name TEXT NOT NULL, type TEXT NOT NULL,
      cpu_name TEXT, cpu_cores BIGINT, ram_gb DOUBLE PRECISION, disk_type TEXT, disk_gb DOUBLE PRECISION,
      location TEXT, price_eur_cents BIGINT, url TEXT, certified_report_id TEXT, certified_at BIGINT,
      certificate_expires_at BIGINT, disputed_at BIGINT, updated_at BIGINT NOT NULL)`,
  "CREATE INDEX offer_of_provider ON offer (provider_id)",

  // A deleted target stays as long as its jobs, which count towards the account's quota.
  `CREATE TABLE auto_bench_target (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id),
      server_id TEXT NOT NULL REFERENCES server (id), offer_id TEXT, kind TEXT NOT NULL, name TEXT NOT NULL,
      enabled SMALLINT NOT NULL, benchmark_mode TEXT NOT NULL, runs_per_job BIGINT NOT NULL, schedule_cron TEXT,
      next_run_at BIGINT, notes TEXT, consecutive_failures BIGINT NOT NULL, disabled_reason TEXT,
      last_launched_at BIGINT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, deleted_at BIGINT)`,
  "CREATE INDEX auto_bench_target_newest ON auto_bench_target (account_id, created_at, id)",
  "CREATE INDEX auto_bench_target_of_offer ON auto_bench_target (offer_id) WHERE offer_id IS NOT NULL",
  "CREATE INDEX auto_bench_target_due ON auto_bench_target (next_run_at)",
  "CREATE INDEX auto_bench_target_of_server ON auto_bench_target (server_id)",

  `CREATE TABLE runner (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL UNIQUE, created_at BIGINT NOT NULL,
      revoked_at BIGINT, last_used_at BIGINT)`,

  // launched_by is the trigger; TRIGGER is an SQL keyword.
  `CREATE TABLE auto_bench_job (
      id TEXT PRIMARY KEY, target_id TEXT NOT NULL REFERENCES auto_bench_target (id), account_id TEXT NOT NULL,
      server_id TEXT NOT NULL, launched_by TEXT NOT NULL, status TEXT NOT NULL, nonce TEXT NOT NULL UNIQUE,
      runner_id TEXT, agent_id TEXT, percent BIGINT, stage TEXT, run_index BIGINT, runs_total BIGINT NOT NULL,
      requeued SMALLINT NOT NULL, cancel_requested SMALLINT NOT NULL, error_code TEXT, queued_at BIGINT NOT NULL,
      claimed_at BIGINT, started_at BIGINT, last_seen_at BIGINT, finished_at BIGINT, updated_at BIGINT NOT NULL,
      judged_at BIGINT)`,
  "CREATE INDEX auto_bench_job_newest ON auto_bench_job (account_id, queued_at, id)",
  "CREATE INDEX auto_bench_job_of_target ON auto_bench_job (target_id, queued_at, id)",
  "CREATE INDEX auto_bench_job_by_status ON auto_bench_job (account_id, status, queued_at, id)",
  "CREATE UNIQUE INDEX auto_bench_job_one_in_flight ON auto_bench_job (target_id) WHERE finished_at IS NULL",
  "CREATE INDEX auto_bench_job_in_flight ON auto_bench_job (status, queued_at) WHERE finished_at IS NULL",
  "CREATE INDEX auto_bench_job_unfinished ON auto_bench_job (id) WHERE finished_at IS NULL",
  "CREATE INDEX auto_bench_job_finished ON auto_bench_job (finished_at) WHERE finished_at IS NOT NULL",
  "CREATE INDEX auto_bench_job_to_judge ON auto_bench_job (server_id) WHERE finished_at IS NOT NULL AND judged_at IS NULL",
];
