export const serviceTables: readonly string[] = [
  `CREATE TABLE job (
      name TEXT PRIMARY KEY, holder TEXT, leased_until BIGINT, last_started_at BIGINT, last_finished_at BIGINT)`,

  // No foreign keys: entries outlive their accounts, and must not block the deletion of an account.
  `CREATE TABLE service_log (
      at BIGINT NOT NULL, id TEXT NOT NULL, last_at BIGINT NOT NULL, times BIGINT NOT NULL, kind TEXT NOT NULL,
      words TEXT NOT NULL, done_by TEXT NOT NULL, actor_id TEXT, account_id TEXT,
      PRIMARY KEY (at, id)) {{clustered}}`,
  "CREATE INDEX service_log_of_actor ON service_log (actor_id) WHERE actor_id IS NOT NULL",
  "CREATE INDEX service_log_of_account ON service_log (account_id) WHERE account_id IS NOT NULL",

  // The primary key has the order in which the rows are read.
  `CREATE TABLE security_log (
      at BIGINT NOT NULL, id TEXT NOT NULL, last_at BIGINT NOT NULL, times BIGINT NOT NULL, kind TEXT NOT NULL,
      account_id TEXT, address TEXT, token_id TEXT, detail TEXT, PRIMARY KEY (at, id)) {{clustered}}`,
  "CREATE INDEX security_log_of_account ON security_log (account_id, at, id) WHERE account_id IS NOT NULL",

  // A text sealed with the service's secret; a start checks its own secret with it.
  `CREATE TABLE secret_check (
      id TEXT PRIMARY KEY, sealed TEXT NOT NULL, earlier BIGINT NOT NULL, closed BIGINT NOT NULL,
      counted_at BIGINT NOT NULL)`,

  // Identifies this database; the names of its backups contain the id.
  `CREATE TABLE database_identity (id TEXT PRIMARY KEY)`,
  "INSERT INTO database_identity (id) VALUES ({{random}})",
];
