export const serverTables: readonly string[] = [
  `CREATE TABLE server_group (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), name TEXT NOT NULL, color TEXT,
      sort_order INTEGER NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  "CREATE INDEX server_group_of_account ON server_group (account_id, sort_order)",

  // account_id: the account the server is linked to, null if unlinked. linked_by: the account that linked it
  // last, and may relink it until kept_until. sample: the newest sample as JSON.
  `CREATE TABLE server (
      id TEXT PRIMARY KEY, account_id TEXT REFERENCES account (id), linked_by TEXT NOT NULL REFERENCES account (id),
      installation_id TEXT NOT NULL UNIQUE, name TEXT, verified_at BIGINT, is_public SMALLINT NOT NULL,
      monitoring_enabled SMALLINT NOT NULL, show_address_on_report SMALLINT NOT NULL,
      notify_on_report SMALLINT NOT NULL, address TEXT, port INTEGER, group_id TEXT REFERENCES server_group (id),
      linked_at BIGINT NOT NULL, created_at BIGINT NOT NULL, last_heartbeat BIGINT, announcement TEXT,
      announced_at BIGINT, boot_timestamp BIGINT, last_tick_age_ms BIGINT, paused_since BIGINT,
      last_rejected_at BIGINT, sampled_at BIGINT, sample_received_at BIGINT, sample TEXT, offer_id TEXT,
      regression_since BIGINT, kept_until BIGINT, collect_profile_until BIGINT, collect_histogram_until BIGINT,
      sender TEXT NOT NULL, plugin_version TEXT, reported_software TEXT)`,
  "CREATE INDEX server_by_age ON server (created_at, id)",
  "CREATE INDEX server_in_group ON server (group_id)",
  "CREATE INDEX server_of_account ON server (account_id, monitoring_enabled, linked_at, id)",
  "CREATE INDEX server_linked_by ON server (linked_by)",
  "CREATE INDEX server_kept_until ON server (kept_until) WHERE kept_until IS NOT NULL",
  "CREATE INDEX server_by_id ON server (account_id, id)",
  "CREATE INDEX server_of_offer ON server (offer_id) WHERE offer_id IS NOT NULL",
  "CREATE INDEX server_newest ON server (account_id, created_at, id)",

  `CREATE TABLE server_credential (
      digest TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), claim_digest TEXT NOT NULL,
      created_at BIGINT NOT NULL, first_used_at BIGINT, revoked_at BIGINT)`,
  "CREATE INDEX server_credential_of_claim ON server_credential (claim_digest)",
  "CREATE INDEX server_credential_of_server ON server_credential (server_id)",
  "CREATE INDEX server_credential_revoked ON server_credential (revoked_at) WHERE revoked_at IS NOT NULL",

  // Digests of deleted servers' credentials: their plugins are told that the credential was revoked.
  `CREATE TABLE retired_credential (digest TEXT PRIMARY KEY, revoked_at BIGINT NOT NULL)`,
  "CREATE INDEX retired_credential_oldest ON retired_credential (revoked_at)",

  `CREATE TABLE link_code (
      code TEXT PRIMARY KEY, installation_id TEXT NOT NULL, claim_digest TEXT NOT NULL UNIQUE, facts TEXT NOT NULL,
      created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, used_by TEXT, server_id TEXT)`,
  "CREATE UNIQUE INDEX link_code_to_use ON link_code (installation_id) WHERE used_by IS NULL",
  "CREATE INDEX link_code_unused ON link_code (expires_at) WHERE used_by IS NULL",
  "CREATE INDEX link_code_used ON link_code (expires_at) WHERE used_by IS NOT NULL",
  "CREATE INDEX link_code_of_server ON link_code (server_id) WHERE server_id IS NOT NULL",
  "CREATE INDEX link_code_used_by ON link_code (used_by) WHERE used_by IS NOT NULL",

  // Rank of every monitored server in its account, oldest link first. Counting the newer servers at each call
  // took ten times the rest of the call in an account of 10,000 servers.
  `CREATE TABLE monitoring_order (
      server_id TEXT PRIMARY KEY REFERENCES server (id), account_id TEXT NOT NULL,
      position BIGINT NOT NULL) {{clustered}}`,
  "CREATE INDEX monitoring_order_of_account ON monitoring_order (account_id, position)",

  `CREATE TABLE monitoring_transition (
      server_id TEXT NOT NULL REFERENCES server (id), at BIGINT NOT NULL, kind TEXT NOT NULL,
      PRIMARY KEY (server_id, at, kind))`,

  `CREATE TABLE server_software (
      server_id TEXT PRIMARY KEY REFERENCES server (id), inventory TEXT NOT NULL, received_at BIGINT NOT NULL,
      changed_at BIGINT NOT NULL, first_received_at BIGINT NOT NULL, changes TEXT NOT NULL)`,

  `CREATE TABLE maintenance (
      server_id TEXT PRIMARY KEY REFERENCES server (id), started_at BIGINT NOT NULL, ends_at BIGINT NOT NULL,
      told_until BIGINT NOT NULL, reason TEXT, started_by TEXT NOT NULL)`,

  `CREATE TABLE recurring_maintenance (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), title TEXT NOT NULL, cron TEXT NOT NULL,
      time_zone TEXT NOT NULL, duration_minutes BIGINT NOT NULL, enabled SMALLINT NOT NULL, next_starts_at BIGINT,
      planned_at BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  "CREATE INDEX recurring_maintenance_of_server ON recurring_maintenance (server_id, created_at, id)",
  "CREATE INDEX recurring_maintenance_due ON recurring_maintenance (next_starts_at)",
  "CREATE INDEX recurring_maintenance_planned ON recurring_maintenance (planned_at)",

  `CREATE TABLE status_page (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), address TEXT NOT NULL UNIQUE,
      title TEXT NOT NULL, shows_players SMALLINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  "CREATE INDEX status_page_of_account ON status_page (account_id)",

  `CREATE TABLE status_page_server (
      page_id TEXT NOT NULL REFERENCES status_page (id), server_id TEXT NOT NULL REFERENCES server (id),
      position INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (page_id, server_id))`,
  "CREATE INDEX status_page_of_server ON status_page_server (server_id)",
];
