import type { Migration } from "./migration.ts";

/** Browsers that are signed in, and codes that work once. */
export const people: Migration = {
  id: 5,
  name: "people",
  statements: [
    `CREATE TABLE session (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id), digest TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL, last_used_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, user_agent TEXT)`,
    "CREATE INDEX session_of_account ON session (account_id, last_used_at)",
    "CREATE INDEX session_oldest ON session (expires_at)",

    `CREATE TABLE one_time_code (
      id TEXT PRIMARY KEY, purpose TEXT NOT NULL, digest TEXT NOT NULL UNIQUE,
      account_id TEXT REFERENCES account (id) ON DELETE CASCADE, email TEXT,
      created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, used_at BIGINT)`,
    "CREATE INDEX one_time_code_of_account ON one_time_code (account_id, purpose)",
    "CREATE INDEX one_time_code_oldest ON one_time_code (expires_at)",
  ],
};
