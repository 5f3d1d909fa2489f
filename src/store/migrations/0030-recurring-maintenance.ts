import type { Migration } from "./migration.ts";

/** Maintenance that recurs by a schedule in a time zone. */
export const recurringMaintenance: Migration = {
  id: 30,
  name: "recurring-maintenance",
  statements: [
    `CREATE TABLE recurring_maintenance (
      id TEXT PRIMARY KEY,
      server_id TEXT NOT NULL REFERENCES server (id),
      title TEXT NOT NULL,
      cron TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      duration_minutes BIGINT NOT NULL,
      enabled SMALLINT NOT NULL,
      next_starts_at BIGINT,
      planned_at BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
    "CREATE INDEX recurring_maintenance_of_server ON recurring_maintenance (server_id, created_at, id)",
    "CREATE INDEX recurring_maintenance_due ON recurring_maintenance (next_starts_at)",
    "CREATE INDEX recurring_maintenance_planned ON recurring_maintenance (planned_at)",
  ],
};
