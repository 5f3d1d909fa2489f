/** Tokens, OAuth grants, MCP sessions, rate windows and token activity. */
export const accessTables: readonly string[] = [
  `CREATE TABLE api_token (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), name TEXT NOT NULL, kind TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
      revoked_at BIGINT, last_used_at BIGINT, client_id TEXT, client_name TEXT, client_host TEXT)`,
  "CREATE INDEX api_token_newest ON api_token (account_id, created_at, id)",

  `CREATE TABLE oauth_record (
      kind TEXT NOT NULL, digest TEXT NOT NULL, token_id TEXT REFERENCES api_token (id) ON DELETE CASCADE,
      payload TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, consumed_at BIGINT,
      PRIMARY KEY (kind, digest)) {{clustered}}`,
  "CREATE INDEX oauth_record_of_token ON oauth_record (token_id, kind)",
  "CREATE INDEX oauth_record_by_expiry ON oauth_record (kind, expires_at)",
  "CREATE INDEX oauth_record_oldest ON oauth_record (expires_at)",

  `CREATE TABLE rate_window (
      kind TEXT NOT NULL, key TEXT NOT NULL, opened_at BIGINT NOT NULL, used BIGINT NOT NULL,
      PRIMARY KEY (kind, key)) {{clustered}}`,
  "CREATE INDEX rate_window_oldest ON rate_window (opened_at)",

  `CREATE TABLE write_replay (
      account_id TEXT NOT NULL, route TEXT NOT NULL, slot TEXT NOT NULL, body_digest TEXT NOT NULL,
      resource_id TEXT NOT NULL, resource_updated_at BIGINT NOT NULL, created_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, route, slot))`,
  "CREATE INDEX write_replay_of_body ON write_replay (account_id, route, body_digest)",
  "CREATE INDEX write_replay_oldest ON write_replay (created_at)",

  // The primary key has the order in which the rows are read.
  `CREATE TABLE activity (
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE, at BIGINT NOT NULL, id TEXT NOT NULL,
      token_id TEXT NOT NULL, call TEXT NOT NULL, status INTEGER NOT NULL, error TEXT, times INTEGER NOT NULL,
      PRIMARY KEY (account_id, at, id)) {{clustered}}`,
  "CREATE INDEX activity_oldest ON activity (at)",

  // No foreign key to a token, as in rate_window: a late call of a deleted account must not fail.
  `CREATE TABLE dialogue_session (
      token_id TEXT NOT NULL, session TEXT NOT NULL, log_level TEXT, used_at BIGINT NOT NULL, unanswered_at BIGINT,
      PRIMARY KEY (token_id, session)) {{clustered}}`,
  "CREATE INDEX dialogue_session_oldest ON dialogue_session (used_at)",

  `CREATE TABLE dialogue_watch (
      token_id TEXT NOT NULL, session TEXT NOT NULL, uri TEXT NOT NULL, mark TEXT NOT NULL,
      PRIMARY KEY (token_id, session, uri),
      FOREIGN KEY (token_id, session) REFERENCES dialogue_session (token_id, session) ON DELETE CASCADE) {{clustered}}`,

  `CREATE TABLE dialogue_question (
      id TEXT PRIMARY KEY, token_id TEXT NOT NULL, call TEXT NOT NULL, answer TEXT, expires_at BIGINT NOT NULL)`,
  "CREATE INDEX dialogue_question_of_token ON dialogue_question (token_id)",
  "CREATE INDEX dialogue_question_oldest ON dialogue_question (expires_at)",
];
