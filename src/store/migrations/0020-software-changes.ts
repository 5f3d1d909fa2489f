import type { Migration } from "./migration.ts";

/**
 * When each part of a server's software last changed, since when changes are seen, and what servers say of their
 * software outside an inventory. Of inventories from before this, the last change is as far back as anything is known.
 */
export const softwareChangeTimes: Migration = {
  id: 20,
  name: "software-changes",
  statements: [
    "ALTER TABLE server_software ADD COLUMN first_received_at BIGINT NOT NULL DEFAULT 0",
    "UPDATE server_software SET first_received_at = changed_at",
    "ALTER TABLE server_software ADD COLUMN changes TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE server ADD COLUMN plugin_version TEXT",
    "ALTER TABLE server ADD COLUMN reported_software TEXT",
  ],
};
