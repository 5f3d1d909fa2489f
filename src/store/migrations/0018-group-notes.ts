import type { Migration } from "./migration.ts";

/** A note of the owner on a group of servers. */
export const groupNotes: Migration = {
  id: 18,
  name: "group notes",
  statements: ["ALTER TABLE server_group ADD COLUMN note TEXT"],
};
