import type { Migration } from "./migration.ts";

/** How many attempts of a message had no known end, so that one that may have arrived is not repeated without end. */
export const retries: Migration = {
  id: 13,
  name: "retries",
  statements: ["ALTER TABLE dispatch ADD COLUMN unanswered BIGINT NOT NULL DEFAULT 0"],
};
