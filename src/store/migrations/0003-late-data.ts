import type { Migration } from "./migration.ts";

/** From when a server is judged again because of late data, and what was known at its time of the day. */
export const lateData: Migration = {
  id: 3,
  name: "late-data",
  statements: [
    "ALTER TABLE server_health ADD COLUMN reopened_from BIGINT",
    "ALTER TABLE server_baseline ADD COLUMN checkpoint TEXT",
  ],
};
