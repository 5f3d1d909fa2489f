import type { Migration } from "./migration.ts";

/** What happened to the service itself, and what those who run it did. */
export const addServiceLog: Migration = {
  id: 11,
  name: "service-log",
  statements: [
    // In the order it is read. Without references: an entry stays when its accounts go, and keeps nobody from going.
    `CREATE TABLE service_log (
      at BIGINT NOT NULL, id TEXT NOT NULL, last_at BIGINT NOT NULL, times BIGINT NOT NULL,
      kind TEXT NOT NULL, words TEXT NOT NULL, done_by TEXT NOT NULL, actor_id TEXT, account_id TEXT,
      PRIMARY KEY (at, id)) {{clustered}}`,
    "CREATE INDEX service_log_of_actor ON service_log (actor_id) WHERE actor_id IS NOT NULL",
    "CREATE INDEX service_log_of_account ON service_log (account_id) WHERE account_id IS NOT NULL",
  ],
};
