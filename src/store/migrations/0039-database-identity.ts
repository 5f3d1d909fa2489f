import type { Migration } from "./migration.ts";

/** What tells one database from others: the names of its backups hold it. */
export const databaseIdentity: Migration = {
  id: 39,
  name: "database-identity",
  statements: [
    "CREATE TABLE database_identity (id TEXT PRIMARY KEY)",
    "INSERT INTO database_identity (id) VALUES ({{random}})",
  ],
};
