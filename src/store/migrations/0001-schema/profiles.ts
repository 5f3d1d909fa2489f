export const profileTables: readonly string[] = [
  // triggered_by is the trigger (an SQL keyword). timeline_at: when it was captured, or else uploaded.
  `CREATE TABLE profile_summary (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), local_id TEXT NOT NULL,
      plugin_version TEXT, triggered_by TEXT, captured_at BIGINT, uploaded_at BIGINT NOT NULL,
      timeline_at BIGINT NOT NULL, summary TEXT NOT NULL, UNIQUE (server_id, local_id))`,
  "CREATE INDEX profile_summary_newest ON profile_summary (server_id, timeline_at, id, triggered_by)",
  "CREATE INDEX profile_summary_oldest ON profile_summary (uploaded_at)",

  // Every owner that a summary lists, in the order of its server's list.
  `CREATE TABLE profile_owner (
      server_id TEXT NOT NULL, owner TEXT NOT NULL, timeline_at BIGINT NOT NULL,
      summary_id TEXT NOT NULL REFERENCES profile_summary (id) ON DELETE CASCADE, triggered_by TEXT,
      PRIMARY KEY (server_id, owner, timeline_at, summary_id)) {{clustered}}`,
  "CREATE INDEX profile_owner_of_summary ON profile_owner (summary_id)",

  // Documents are gzipped JSON. Facts that are known only while the document is kept are columns beside it.
  `CREATE TABLE profile_document (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL,
      summary_id TEXT NOT NULL UNIQUE REFERENCES profile_summary (id) ON DELETE CASCADE, uploaded_at BIGINT NOT NULL,
      longest_tick_ms DOUBLE PRECISION, service_version TEXT, document {{bytes}} NOT NULL)`,
  "CREATE INDEX profile_document_oldest ON profile_document (server_id, uploaded_at, id)",

  // Computed from a document at its upload. A separate table, so that reading it skips the document.
  `CREATE TABLE profile_reading (
      profile_id TEXT PRIMARY KEY REFERENCES profile_document (id) ON DELETE CASCADE, version BIGINT NOT NULL,
      detail {{bytes}} NOT NULL, flame_graph {{bytes}} NOT NULL)`,

  `CREATE TABLE profile_link (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id),
      summary_id TEXT NOT NULL REFERENCES profile_summary (id) ON DELETE CASCADE, digest TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
  "CREATE INDEX profile_link_of_account ON profile_link (account_id)",
  "CREATE INDEX profile_link_of_summary ON profile_link (summary_id)",
  "CREATE INDEX profile_link_oldest ON profile_link (expires_at)",

  `CREATE TABLE memory_report (
      id TEXT PRIMARY KEY, server_id TEXT NOT NULL REFERENCES server (id), local_id TEXT NOT NULL, kind TEXT NOT NULL,
      schema TEXT NOT NULL, mode TEXT, requested_mode TEXT, fallback_reason TEXT, heap_bytes BIGINT, top_owner TEXT,
      top_owner_pct DOUBLE PRECISION, suspects_count BIGINT, plugin_version TEXT, created_at BIGINT,
      uploaded_at BIGINT NOT NULL, timeline_at BIGINT NOT NULL, UNIQUE (server_id, local_id))`,
  "CREATE INDEX memory_report_newest ON memory_report (server_id, timeline_at, id, kind, mode)",
  "CREATE INDEX memory_report_oldest ON memory_report (server_id, uploaded_at, id)",

  `CREATE TABLE memory_document (
      report_id TEXT PRIMARY KEY REFERENCES memory_report (id) ON DELETE CASCADE, document {{bytes}} NOT NULL)`,

  `CREATE TABLE memory_reading (
      report_id TEXT PRIMARY KEY REFERENCES memory_report (id) ON DELETE CASCADE, version BIGINT NOT NULL,
      diagnosis {{bytes}} NOT NULL)`,
];
