import type { Migration } from "./migration.ts";

/** Passkeys of accounts: the public halves of key pairs on devices of their people. */
export const passkeys: Migration = {
  id: 34,
  name: "passkeys",
  statements: [
    `CREATE TABLE passkey (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES account (id),
      name TEXT NOT NULL,
      credential_id TEXT NOT NULL UNIQUE,
      public_key TEXT NOT NULL,
      counter BIGINT NOT NULL,
      transports TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      last_used_at BIGINT
    )`,
    "CREATE INDEX passkey_by_account ON passkey (account_id, created_at)",
  ],
};
