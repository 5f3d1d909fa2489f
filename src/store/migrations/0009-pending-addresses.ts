import type { Migration } from "./migration.ts";

/** Mail addresses that wait for the code that was sent to them. */
export const pendingAddresses: Migration = {
  id: 9,
  name: "pending-addresses",
  statements: [
    `CREATE TABLE pending_address (
      account_id TEXT PRIMARY KEY REFERENCES account (id), address TEXT NOT NULL, code_digest TEXT NOT NULL,
      tries BIGINT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
    "CREATE INDEX pending_address_oldest ON pending_address (expires_at)",
    "CREATE INDEX inbox_unread ON inbox (account_id) WHERE read_at IS NULL",
  ],
};
