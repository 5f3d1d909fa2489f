/** Events, alert rules, alerts and their messages. */
export const alertTables: readonly string[] = [
  `CREATE TABLE server_event (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), local_id TEXT, type TEXT NOT NULL,
      category TEXT NOT NULL, source TEXT NOT NULL, severity TEXT NOT NULL, title TEXT NOT NULL, description TEXT,
      metadata TEXT, happened_at BIGINT, timeline_at BIGINT NOT NULL, duration_ms BIGINT, received_at BIGINT NOT NULL,
      UNIQUE (server_id, local_id))`,
  "CREATE INDEX server_event_newest ON server_event (server_id, timeline_at, id)",
  "CREATE INDEX server_event_by_type ON server_event (server_id, type, timeline_at, id)",
  "CREATE INDEX server_event_by_source ON server_event (server_id, source, timeline_at, id)",
  "CREATE INDEX server_event_by_category ON server_event (server_id, category, timeline_at, id)",
  "CREATE INDEX server_event_by_severity ON server_event (server_id, severity, timeline_at, id)",

  `CREATE TABLE alert_rule (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), name TEXT NOT NULL, metric TEXT NOT NULL,
      condition TEXT, threshold DOUBLE PRECISION, duration_minutes BIGINT NOT NULL, cooldown_minutes BIGINT NOT NULL,
      notify_email SMALLINT NOT NULL, notify_chat SMALLINT NOT NULL, notify_in_app SMALLINT NOT NULL,
      enabled SMALLINT NOT NULL, muted_until BIGINT, mute_told_until BIGINT, progress TEXT NOT NULL,
      last_triggered_at BIGINT, last_notified_at BIGINT, open_alert_id TEXT, created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL)`,
  "CREATE INDEX alert_rule_of_server ON alert_rule (server_id, created_at, id)",

  `CREATE TABLE event_rule (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), name TEXT NOT NULL, preset TEXT,
      event_types TEXT NOT NULL, categories TEXT NOT NULL, min_severity TEXT, sources TEXT NOT NULL,
      cooldown_minutes BIGINT NOT NULL, notify_email SMALLINT NOT NULL, notify_chat SMALLINT NOT NULL,
      notify_in_app SMALLINT NOT NULL, enabled SMALLINT NOT NULL, muted_until BIGINT, last_triggered_at BIGINT,
      last_notified_at BIGINT, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
  "CREATE INDEX event_rule_of_server ON event_rule (server_id, created_at, id)",

  `CREATE TABLE alert (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), server_id TEXT NOT NULL,
      server_name TEXT, kind TEXT NOT NULL, status TEXT NOT NULL, rule_id TEXT NOT NULL, rule_name TEXT NOT NULL,
      metric TEXT, condition TEXT, threshold DOUBLE PRECISION, duration_minutes BIGINT, value DOUBLE PRECISION,
      worst_value DOUBLE PRECISION, server_state TEXT NOT NULL, event TEXT, pending_since BIGINT,
      opened_at BIGINT NOT NULL, acknowledged_at BIGINT, acknowledged_by TEXT, resolved_at BIGINT,
      resolution_reason TEXT, in_maintenance SMALLINT NOT NULL, flapping SMALLINT NOT NULL,
      notified SMALLINT NOT NULL, delivery TEXT NOT NULL)`,
  "CREATE INDEX alert_newest ON alert (account_id, opened_at, id)",
  "CREATE INDEX alert_in_progress ON alert (account_id, opened_at, id) WHERE status <> 'resolved'",
  "CREATE INDEX alert_oldest ON alert (opened_at)",
  "CREATE INDEX alert_over ON alert (account_id, resolved_at, opened_at)",
  "CREATE INDEX alert_newest_of_server ON alert (server_id, opened_at, id)",

  // A row stays until its message was sent or given up. unanswered: attempts whose result is unknown.
  `CREATE TABLE dispatch (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), channel TEXT NOT NULL,
      purpose TEXT NOT NULL, alert_id TEXT, rule_id TEXT, message TEXT NOT NULL, attempts BIGINT NOT NULL,
      due_at BIGINT NOT NULL, leased_until BIGINT, created_at BIGINT NOT NULL, unanswered BIGINT NOT NULL DEFAULT 0,
      posted_alert TEXT, is_second SMALLINT NOT NULL)`,
  "CREATE INDEX dispatch_due ON dispatch (due_at, id)",
  "CREATE INDEX dispatch_of_alert ON dispatch (alert_id)",
  "CREATE INDEX dispatch_of_rule ON dispatch (rule_id)",
  "CREATE INDEX dispatch_of_account ON dispatch (account_id, channel, leased_until)",

  // Addresses are sealed with the service's secret. email null: the account's address; chat null: none.
  `CREATE TABLE notification_setting (
      account_id TEXT PRIMARY KEY REFERENCES account (id), email TEXT, email_verified_at BIGINT, chat TEXT,
      notices_email SMALLINT NOT NULL, notices_chat SMALLINT NOT NULL, updated_at BIGINT NOT NULL,
      digest_email SMALLINT NOT NULL, digest_chat SMALLINT NOT NULL, digest_week BIGINT, webhook TEXT,
      webhook_secrets TEXT, notices_webhook SMALLINT NOT NULL, second_channel TEXT)`,

  `CREATE TABLE inbox (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), kind TEXT NOT NULL,
      message TEXT NOT NULL, server_id TEXT, alert_id TEXT, created_at BIGINT NOT NULL, read_at BIGINT)`,
  "CREATE INDEX inbox_newest ON inbox (account_id, created_at, id)",
  "CREATE INDEX inbox_oldest ON inbox (created_at)",
  "CREATE INDEX inbox_of_server ON inbox (server_id) WHERE server_id IS NOT NULL",
  "CREATE INDEX inbox_unread ON inbox (account_id) WHERE read_at IS NULL",

  `CREATE TABLE test_message (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), sent_at BIGINT NOT NULL)`,
  "CREATE INDEX test_message_newest ON test_message (account_id, sent_at)",
  "CREATE INDEX test_message_oldest ON test_message (sent_at)",
];
