import type { Migration } from "./migration.ts";

/** Wrong second factors in a row after a right password, of browsers of the account's own and of others. */
export const wrongFactors: Migration = {
  id: 38,
  name: "wrong-factors",
  statements: [
    `CREATE TABLE wrong_factor (
      account_id TEXT NOT NULL REFERENCES account (id),
      browser TEXT NOT NULL,
      in_row BIGINT NOT NULL,
      last_at BIGINT NOT NULL,
      PRIMARY KEY (account_id, browser)
    )`,
  ],
};
