import type { Migration } from "./migration.ts";

/** When servers announced a silence, and when their monitoring was switched. */
export const monitoringTransitions: Migration = {
  id: 25,
  name: "monitoring-transitions",
  statements: [
    `CREATE TABLE monitoring_transition (
      server_id TEXT NOT NULL REFERENCES server (id), at BIGINT NOT NULL, kind TEXT NOT NULL,
      PRIMARY KEY (server_id, at, kind))`,
  ],
};
