import type { Migration } from "./migration.ts";

/** What each token did. */
export const activity: Migration = {
  id: 6,
  name: "activity",
  statements: [
    // In the order it is read; whoever deletes an account deletes this with it.
    `CREATE TABLE activity (
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE, at BIGINT NOT NULL, id TEXT NOT NULL,
      token_id TEXT NOT NULL, call TEXT NOT NULL, status INTEGER NOT NULL, error TEXT, times INTEGER NOT NULL,
      PRIMARY KEY (account_id, at, id)) {{clustered}}`,
    "CREATE INDEX activity_oldest ON activity (at)",
  ],
};
