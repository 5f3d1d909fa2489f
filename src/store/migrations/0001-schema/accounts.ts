/** Accounts, sign-in, second factors, one-time codes and unconfirmed addresses. */
export const accountTables: readonly string[] = [
  // kept_plan: a lapsed plan that still counts for a while. device_generation: see `accountTable`.
  `CREATE TABLE account (
      id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, email_verified SMALLINT NOT NULL, plan TEXT NOT NULL,
      role TEXT NOT NULL, password_hash TEXT, created_at BIGINT NOT NULL, kept_plan TEXT, kept_plan_until BIGINT,
      device_generation BIGINT NOT NULL)`,

  `CREATE TABLE session (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), digest TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL, last_used_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, user_agent TEXT,
      proven_at BIGINT NOT NULL)`,
  "CREATE INDEX session_of_account ON session (account_id, last_used_at)",
  "CREATE INDEX session_oldest ON session (expires_at)",

  `CREATE TABLE one_time_code (
      id TEXT PRIMARY KEY, purpose TEXT NOT NULL, digest TEXT NOT NULL UNIQUE,
      account_id TEXT REFERENCES account (id) ON DELETE CASCADE, email TEXT, created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL, used_at BIGINT)`,
  "CREATE INDEX one_time_code_of_account ON one_time_code (account_id, purpose)",
  "CREATE INDEX one_time_code_oldest ON one_time_code (expires_at)",

  `CREATE TABLE pending_address (
      account_id TEXT PRIMARY KEY REFERENCES account (id), address TEXT NOT NULL, code_digest TEXT NOT NULL,
      tries BIGINT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
  "CREATE INDEX pending_address_oldest ON pending_address (expires_at)",

  `CREATE TABLE second_factor (
      account_id TEXT PRIMARY KEY REFERENCES account (id), sealed_secret TEXT NOT NULL, last_step BIGINT NOT NULL,
      enabled_at BIGINT NOT NULL)`,

  `CREATE TABLE recovery_code (
      account_id TEXT NOT NULL REFERENCES account (id), digest TEXT NOT NULL, used_at BIGINT,
      PRIMARY KEY (account_id, digest))`,

  `CREATE TABLE wrong_factor (
      account_id TEXT NOT NULL REFERENCES account (id), browser TEXT NOT NULL, in_row BIGINT NOT NULL,
      last_at BIGINT NOT NULL, PRIMARY KEY (account_id, browser))`,

  `CREATE TABLE passkey (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), name TEXT NOT NULL,
      credential_id TEXT NOT NULL UNIQUE, public_key TEXT NOT NULL, counter BIGINT NOT NULL, transports TEXT NOT NULL,
      created_at BIGINT NOT NULL, last_used_at BIGINT)`,
  "CREATE INDEX passkey_by_account ON passkey (account_id, created_at)",
];
