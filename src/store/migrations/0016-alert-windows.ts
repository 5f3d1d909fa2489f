import type { Migration } from "./migration.ts";

/** Finds the alerts of an account that were over after an instant, however long ago they opened. */
export const alertWindows: Migration = {
  id: 16,
  name: "alert-windows",
  statements: ["CREATE INDEX alert_over ON alert (account_id, resolved_at, opened_at)"],
};
