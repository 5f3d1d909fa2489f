import type { Migration } from "./migration.ts";

/** Until when a server's plugin is asked for a profile or a class histogram. */
export const collections: Migration = {
  id: 11,
  name: "collections",
  statements: [
    "ALTER TABLE server ADD COLUMN collect_profile_until BIGINT",
    "ALTER TABLE server ADD COLUMN collect_histogram_until BIGINT",
  ],
};
