import type { Migration } from "./migration.ts";

/** When each finding of the stored evaluation began, by its code; none is known of evaluations before. */
export const healthBeginnings: Migration = {
  id: 2,
  name: "health-beginnings",
  statements: ["ALTER TABLE server_health ADD COLUMN beginnings TEXT NOT NULL DEFAULT '{}'"],
};
