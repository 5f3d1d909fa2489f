import type { Migration } from "./migration.ts";

/** Accounts, tokens, rate windows, linked servers with their samples, groups and reports. */
export const spine: Migration = {
  id: 1,
  name: "spine",
  statements: [
    `CREATE TABLE account (
      id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, email_verified SMALLINT NOT NULL,
      plan TEXT NOT NULL, role TEXT NOT NULL, password_hash TEXT, created_at BIGINT NOT NULL)`,

    `CREATE TABLE api_token (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), name TEXT NOT NULL, kind TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
      revoked_at BIGINT, last_used_at BIGINT)`,
    "CREATE INDEX api_token_newest ON api_token (account_id, created_at, id)",

    `CREATE TABLE rate_window (
      kind TEXT NOT NULL, key TEXT NOT NULL, opened_at BIGINT NOT NULL, used BIGINT NOT NULL,
      PRIMARY KEY (kind, key)) {{clustered}}`,

    `CREATE TABLE server_group (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), name TEXT NOT NULL, color TEXT,
      sort_order INTEGER NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
    "CREATE INDEX server_group_of_account ON server_group (account_id, sort_order)",

    `CREATE TABLE server (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), installation_id TEXT NOT NULL UNIQUE,
      name TEXT, verified_at BIGINT, is_public SMALLINT NOT NULL, monitoring_enabled SMALLINT NOT NULL,
      show_address_on_report SMALLINT NOT NULL, notify_on_report SMALLINT NOT NULL, address TEXT, port INTEGER,
      group_id TEXT REFERENCES server_group (id), linked_at BIGINT NOT NULL, created_at BIGINT NOT NULL,
      last_heartbeat BIGINT, announcement TEXT, announced_at BIGINT, boot_timestamp BIGINT, last_tick_age_ms BIGINT,
      paused_since BIGINT, last_rejected_at BIGINT, sampled_at BIGINT,
      sample_received_at BIGINT, sample TEXT)`,
    "CREATE INDEX server_of_account ON server (account_id, monitoring_enabled, linked_at, id)",
    "CREATE INDEX server_by_age ON server (created_at, id)",
    "CREATE INDEX server_in_group ON server (group_id)",

    `CREATE TABLE server_credential (
      digest TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), claim_digest TEXT NOT NULL,
      created_at BIGINT NOT NULL, first_used_at BIGINT, revoked_at BIGINT)`,
    "CREATE INDEX server_credential_of_claim ON server_credential (claim_digest)",
    "CREATE INDEX server_credential_of_server ON server_credential (server_id)",

    `CREATE TABLE link_code (
      code TEXT PRIMARY KEY, installation_id TEXT NOT NULL, claim_digest TEXT NOT NULL UNIQUE, facts TEXT NOT NULL,
      created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, used_by TEXT, server_id TEXT)`,
    "CREATE UNIQUE INDEX link_code_to_use ON link_code (installation_id) WHERE used_by IS NULL",

    `CREATE TABLE write_replay (
      account_id TEXT NOT NULL, route TEXT NOT NULL, slot TEXT NOT NULL, body_digest TEXT NOT NULL,
      resource_id TEXT NOT NULL, resource_updated_at BIGINT NOT NULL, created_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, route, slot))`,

    "CREATE INDEX write_replay_of_body ON write_replay (account_id, route, body_digest)",

    `CREATE TABLE sample (
      server_id TEXT NOT NULL REFERENCES server (id), sampled_at BIGINT NOT NULL, received_at BIGINT NOT NULL,
      tps DOUBLE PRECISION, mspt DOUBLE PRECISION, player_count BIGINT, entity_count BIGINT, loaded_chunks BIGINT,
      cpu_cores BIGINT, tile_entities BIGINT, ram_used_mb DOUBLE PRECISION, ram_max_mb BIGINT,
      cpu_usage DOUBLE PRECISION, cpu_system DOUBLE PRECISION, worst_tick_ms DOUBLE PRECISION,
      mspt_p95 DOUBLE PRECISION, ticks_over_50ms BIGINT, lag_seconds DOUBLE PRECISION, heap_after_gc_mb BIGINT,
      rss_mb BIGINT, container_limit_mb BIGINT, ping_ms DOUBLE PRECISION, gc_stw_ms DOUBLE PRECISION,
      region_count BIGINT, tps_region_avg DOUBLE PRECISION, mspt_region_avg DOUBLE PRECISION,
      regions_omitted BIGINT, detail TEXT, PRIMARY KEY (server_id, sampled_at)) {{clustered}}`,

    `CREATE TABLE report (
      id TEXT PRIMARY KEY, short_id TEXT NOT NULL UNIQUE, author_id TEXT, server_id TEXT, local_id TEXT NOT NULL,
      visibility TEXT NOT NULL, source TEXT NOT NULL, benchmark_mode TEXT NOT NULL, server_type TEXT,
      certified_at BIGINT, certificate_expires_at BIGINT, created_at BIGINT NOT NULL, finished_at BIGINT NOT NULL,
      expires_at BIGINT, description TEXT, private_notes TEXT, content TEXT NOT NULL, payload TEXT NOT NULL,
      UNIQUE (server_id, local_id))`,
    "CREATE INDEX report_newest ON report (created_at, id)",
    "CREATE INDEX report_of_author ON report (author_id, created_at, id)",
  ],
};
