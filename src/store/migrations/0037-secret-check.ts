import type { Migration } from "./migration.ts";

/** One text that the secret of the service sealed, by which a start knows whether it has the same secret. */
export const secretCheck: Migration = {
  id: 37,
  name: "secret-check",
  statements: [
    `CREATE TABLE secret_check (id TEXT PRIMARY KEY, sealed TEXT NOT NULL, earlier BIGINT NOT NULL, closed BIGINT NOT NULL,
      counted_at BIGINT NOT NULL)`,
  ],
};
