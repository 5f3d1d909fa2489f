import type { Migration } from "./migration.ts";

/** The newest evaluation of each server, what its ticks usually need, and the days that is worked out from. */
export const addServerHealth: Migration = {
  id: 19,
  name: "server-health",
  statements: [
    `CREATE TABLE server_health (
      server_id TEXT PRIMARY KEY REFERENCES server (id), verdict TEXT NOT NULL, since BIGINT, reasons TEXT NOT NULL,
      headline TEXT NOT NULL, evaluated_at BIGINT NOT NULL, verdict_from BIGINT NOT NULL, announced TEXT NOT NULL)`,
    `CREATE TABLE server_baseline (
      server_id TEXT PRIMARY KEY REFERENCES server (id), day BIGINT NOT NULL, baseline TEXT NOT NULL,
      measured TEXT NOT NULL, slow_state TEXT)`,
    `CREATE TABLE load_day (
      server_id TEXT NOT NULL REFERENCES server (id), day BIGINT NOT NULL, buckets TEXT NOT NULL,
      PRIMARY KEY (server_id, day))`,
  ],
};
