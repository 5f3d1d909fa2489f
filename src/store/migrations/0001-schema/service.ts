/** The jobs and the logs of the service itself. */
export const serviceTables: readonly string[] = [
  `CREATE TABLE job (
      name TEXT PRIMARY KEY, holder TEXT, leased_until BIGINT, last_started_at BIGINT, last_finished_at BIGINT)`,

  // No references: an entry stays when its accounts go, and keeps no account from going.
  `CREATE TABLE service_log (
      at BIGINT NOT NULL, id TEXT NOT NULL, last_at BIGINT NOT NULL, times BIGINT NOT NULL, kind TEXT NOT NULL,
      words TEXT NOT NULL, done_by TEXT NOT NULL, actor_id TEXT, account_id TEXT,
      PRIMARY KEY (at, id)) {{clustered}}`,
  "CREATE INDEX service_log_of_actor ON service_log (actor_id) WHERE actor_id IS NOT NULL",
  "CREATE INDEX service_log_of_account ON service_log (account_id) WHERE account_id IS NOT NULL",

  // In the order in which it is read.
  `CREATE TABLE security_log (
      at BIGINT NOT NULL, id TEXT NOT NULL, last_at BIGINT NOT NULL, times BIGINT NOT NULL, kind TEXT NOT NULL,
      account_id TEXT, address TEXT, token_id TEXT, detail TEXT, PRIMARY KEY (at, id)) {{clustered}}`,
  "CREATE INDEX security_log_of_account ON security_log (account_id, at, id) WHERE account_id IS NOT NULL",

  // One text that the secret of the service sealed: a start compares its own secret with it.
  `CREATE TABLE secret_check (
      id TEXT PRIMARY KEY, sealed TEXT NOT NULL, earlier BIGINT NOT NULL, closed BIGINT NOT NULL,
      counted_at BIGINT NOT NULL)`,

  // Tells one database from others: the names of its backups hold it.
  `CREATE TABLE database_identity (id TEXT PRIMARY KEY)`,
  "INSERT INTO database_identity (id) VALUES ({{random}})",
];
