import type { Migration } from "./migration.ts";

/** The second factor of accounts: a sealed secret of the program that makes codes, and digests of recovery codes. */
export const secondFactor: Migration = {
  id: 31,
  name: "second-factor",
  statements: [
    `CREATE TABLE second_factor (
      account_id TEXT PRIMARY KEY REFERENCES account (id),
      sealed_secret TEXT NOT NULL,
      last_step BIGINT NOT NULL,
      enabled_at BIGINT NOT NULL
    )`,
    `CREATE TABLE recovery_code (
      account_id TEXT NOT NULL REFERENCES account (id),
      digest TEXT NOT NULL,
      used_at BIGINT,
      PRIMARY KEY (account_id, digest)
    )`,
  ],
};
