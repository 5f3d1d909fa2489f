import type { Migration } from "./migration.ts";

/** The newest inventory of the software of each server. */
export const addServerSoftware: Migration = {
  id: 18,
  name: "server-software",
  statements: [
    `CREATE TABLE server_software (
      server_id TEXT PRIMARY KEY REFERENCES server (id), inventory TEXT NOT NULL, received_at BIGINT NOT NULL,
      changed_at BIGINT NOT NULL)`,
  ],
};
