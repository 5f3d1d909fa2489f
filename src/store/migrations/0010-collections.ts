import type { Migration } from "./migration.ts";

/** Until when a server's plugin is asked for a profile or a class histogram; targets that were deleted. */
export const collections: Migration = {
  id: 10,
  name: "collections",
  statements: [
    "ALTER TABLE server ADD COLUMN collect_profile_until BIGINT",
    "ALTER TABLE server ADD COLUMN collect_histogram_until BIGINT",
    // A target that is gone for its owner stays while its jobs do: they count for the account's runs.
    "ALTER TABLE auto_bench_target ADD COLUMN deleted_at BIGINT",
  ],
};
