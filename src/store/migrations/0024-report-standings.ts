import type { Migration } from "./migration.ts";

/** How the scores of public reports are spread, and an index to count them by. */
export const reportStandings: Migration = {
  id: 24,
  name: "report-standings",
  statements: [
    `CREATE TABLE report_standing (
      algorithm_version TEXT NOT NULL, benchmark_mode TEXT NOT NULL, counted_at BIGINT NOT NULL, ranks TEXT NOT NULL,
      PRIMARY KEY (algorithm_version, benchmark_mode))`,
    "CREATE INDEX report_public ON report (id) WHERE visibility = 'public'",
  ],
};
