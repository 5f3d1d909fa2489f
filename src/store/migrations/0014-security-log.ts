import type { Migration } from "./migration.ts";

/** What happened that matters to the safety of accounts, and which browsers an account remembers. */
export const addSecurityLog: Migration = {
  id: 14,
  name: "security-log",
  statements: [
    // In the order it is read.
    `CREATE TABLE security_log (
      at BIGINT NOT NULL, id TEXT NOT NULL, last_at BIGINT NOT NULL, times BIGINT NOT NULL, kind TEXT NOT NULL,
      account_id TEXT, address TEXT, token_id TEXT, detail TEXT, PRIMARY KEY (at, id)) {{clustered}}`,
    "CREATE INDEX security_log_of_account ON security_log (account_id, at, id) WHERE account_id IS NOT NULL",
    // A browser is remembered for one generation; the next one forgets all of them.
    "ALTER TABLE account ADD COLUMN device_generation BIGINT NOT NULL DEFAULT 0",
  ],
};
