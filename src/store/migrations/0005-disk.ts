import type { Migration } from "./migration.ts";

/** The least free space of the days before; the columns of the disk in samples are of the same step. */
export const diskLows: Migration = {
  id: 5,
  name: "disk",
  statements: ["ALTER TABLE server_baseline ADD COLUMN disk_lows TEXT"],
};
