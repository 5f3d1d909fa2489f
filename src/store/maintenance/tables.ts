import { MaintenanceStarter } from "../../core/maintenance/maintenance.ts";
import { flag, instant, integer, oneOf, table, text, type RowOf } from "../engine/table.ts";

export const maintenanceTable = table("maintenance", {
  server_id: text,
  started_at: instant,
  ends_at: instant,
  told_until: instant,
  reason: text.nullable,
  started_by: oneOf(MaintenanceStarter),
});

export const recurringMaintenanceTable = table("recurring_maintenance", {
  id: text,
  server_id: text,
  title: text,
  cron: text,
  time_zone: text,
  duration_minutes: integer,
  enabled: flag,
  next_starts_at: instant.nullable,
  planned_at: instant,
  created_at: instant,
  updated_at: instant,
});

export interface MaintenanceTables {
  maintenance: RowOf<typeof maintenanceTable>;
  recurring_maintenance: RowOf<typeof recurringMaintenanceTable>;
}
