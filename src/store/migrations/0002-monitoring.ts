import type { Migration } from "./migration.ts";

/** The numeric fields of a sample as this version knows them. */
const fields = [
  "tps",
  "mspt",
  "player_count",
  "entity_count",
  "loaded_chunks",
  "cpu_cores",
  "tile_entities",
  "ram_used_mb",
  "ram_max_mb",
  "cpu_usage",
  "cpu_system",
  "worst_tick_ms",
  "mspt_p95",
  "ticks_over_50ms",
  "lag_seconds",
  "heap_after_gc_mb",
  "rss_mb",
  "container_limit_mb",
  "ping_ms",
  "gc_stw_ms",
  "region_count",
  "tps_region_avg",
  "mspt_region_avg",
  "regions_omitted",
];
const parts = fields.map(
  (field) =>
    `${field}_min DOUBLE PRECISION, ${field}_max DOUBLE PRECISION, ${field}_sum DOUBLE PRECISION, ${field}_count BIGINT NOT NULL DEFAULT 0`,
);

/** Old samples by the five minutes, the timeline, maintenance, alert rules, alerts and what goes out because of them. */
export const monitoring: Migration = {
  id: 2,
  name: "monitoring",
  statements: [
    `CREATE TABLE sample_rollup (
      server_id TEXT NOT NULL REFERENCES server (id), bucket_at BIGINT NOT NULL, ${parts.join(", ")},
      PRIMARY KEY (server_id, bucket_at)) {{clustered}}`,

    `CREATE TABLE server_event (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), local_id TEXT, type TEXT NOT NULL,
      category TEXT NOT NULL, source TEXT NOT NULL, severity TEXT NOT NULL, title TEXT NOT NULL, description TEXT,
      metadata TEXT, happened_at BIGINT, timeline_at BIGINT NOT NULL, duration_ms BIGINT, received_at BIGINT NOT NULL,
      UNIQUE (server_id, local_id))`,
    "CREATE INDEX server_event_newest ON server_event (server_id, timeline_at, id)",

    `CREATE TABLE maintenance (
      server_id TEXT PRIMARY KEY REFERENCES server (id), started_at BIGINT NOT NULL, ends_at BIGINT NOT NULL,
      told_until BIGINT NOT NULL, reason TEXT, started_by TEXT NOT NULL)`,

    `CREATE TABLE alert_rule (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), name TEXT NOT NULL, metric TEXT NOT NULL,
      condition TEXT, threshold DOUBLE PRECISION, duration_minutes BIGINT NOT NULL, cooldown_minutes BIGINT NOT NULL,
      notify_email SMALLINT NOT NULL, notify_chat SMALLINT NOT NULL, notify_in_app SMALLINT NOT NULL,
      enabled SMALLINT NOT NULL, muted_until BIGINT, mute_told_until BIGINT, progress TEXT NOT NULL, last_triggered_at BIGINT,
      last_notified_at BIGINT, open_alert_id TEXT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
    "CREATE INDEX alert_rule_of_server ON alert_rule (server_id, created_at, id)",

    `CREATE TABLE event_rule (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), name TEXT NOT NULL, preset TEXT,
      event_types TEXT NOT NULL, categories TEXT NOT NULL, min_severity TEXT, sources TEXT NOT NULL,
      cooldown_minutes BIGINT NOT NULL, notify_email SMALLINT NOT NULL, notify_chat SMALLINT NOT NULL,
      notify_in_app SMALLINT NOT NULL, enabled SMALLINT NOT NULL, muted_until BIGINT, last_triggered_at BIGINT,
      last_notified_at BIGINT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
    "CREATE INDEX event_rule_of_server ON event_rule (server_id, created_at, id)",

    `CREATE TABLE alert (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), server_id TEXT NOT NULL, server_name TEXT,
      kind TEXT NOT NULL, status TEXT NOT NULL, rule_id TEXT NOT NULL, rule_name TEXT NOT NULL, metric TEXT,
      condition TEXT, threshold DOUBLE PRECISION, duration_minutes BIGINT, value DOUBLE PRECISION,
      worst_value DOUBLE PRECISION, server_state TEXT NOT NULL, event TEXT, pending_since BIGINT,
      opened_at BIGINT NOT NULL, acknowledged_at BIGINT, acknowledged_by TEXT, resolved_at BIGINT,
      resolution_reason TEXT, in_maintenance SMALLINT NOT NULL, flapping SMALLINT NOT NULL, notified SMALLINT NOT NULL,
      delivery TEXT NOT NULL)`,
    "CREATE INDEX alert_newest ON alert (account_id, opened_at, id)",
    "CREATE INDEX alert_in_progress ON alert (account_id, opened_at, id) WHERE status <> 'resolved'",
    "CREATE INDEX alert_oldest ON alert (opened_at)",

    // What has to go out; a row stays until it went or was given up.
    `CREATE TABLE dispatch (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), channel TEXT NOT NULL, purpose TEXT NOT NULL,
      alert_id TEXT, rule_id TEXT, message TEXT NOT NULL, attempts BIGINT NOT NULL, due_at BIGINT NOT NULL,
      leased_until BIGINT, created_at BIGINT NOT NULL)`,
    "CREATE INDEX dispatch_due ON dispatch (due_at, id)",
    "CREATE INDEX dispatch_of_alert ON dispatch (alert_id)",
    "CREATE INDEX dispatch_of_rule ON dispatch (rule_id)",
    "CREATE INDEX dispatch_of_account ON dispatch (account_id, channel, leased_until)",

    // Addresses are sealed with the service's secret; null: the account's own e-mail address, and no chat.
    `CREATE TABLE notification_setting (
      account_id TEXT PRIMARY KEY REFERENCES account (id), email TEXT, email_verified_at BIGINT, chat TEXT,
      notices_email SMALLINT NOT NULL, notices_chat SMALLINT NOT NULL, updated_at BIGINT NOT NULL)`,

    `CREATE TABLE inbox (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), kind TEXT NOT NULL, message TEXT NOT NULL,
      server_id TEXT, alert_id TEXT, created_at BIGINT NOT NULL, read_at BIGINT)`,
    "CREATE INDEX inbox_newest ON inbox (account_id, created_at, id)",
    "CREATE INDEX inbox_oldest ON inbox (created_at)",

    `CREATE TABLE test_message (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), sent_at BIGINT NOT NULL)`,
    "CREATE INDEX test_message_newest ON test_message (account_id, sent_at)",
    "CREATE INDEX test_message_oldest ON test_message (sent_at)",

    `CREATE TABLE job (
      name TEXT PRIMARY KEY, holder TEXT, leased_until BIGINT, last_started_at BIGINT, last_finished_at BIGINT)`,

    // The largest plan of late: what it showed is kept for a while after a lapse.
    "ALTER TABLE account ADD COLUMN kept_plan TEXT",
    "ALTER TABLE account ADD COLUMN kept_plan_until BIGINT",

    // What retention looks for.
    "CREATE INDEX report_expiring ON report (expires_at) WHERE expires_at IS NOT NULL",
    "CREATE INDEX write_replay_oldest ON write_replay (created_at)",
    "CREATE INDEX rate_window_oldest ON rate_window (opened_at)",
    "CREATE INDEX link_code_unused ON link_code (expires_at) WHERE used_by IS NULL",
    "CREATE INDEX link_code_used ON link_code (expires_at) WHERE used_by IS NOT NULL",
    "CREATE INDEX server_credential_revoked ON server_credential (revoked_at) WHERE revoked_at IS NOT NULL",
  ],
};
