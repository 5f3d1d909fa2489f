import type { Migration } from "./migration.ts";

/** What is usual of entities, loaded chunks and tile entities, beside what is usual of ticks. */
export const countBaselines: Migration = {
  id: 22,
  name: "count-baselines",
  statements: ["ALTER TABLE server_baseline ADD COLUMN counts TEXT NOT NULL DEFAULT '{}'"],
};
