import type { Migration } from "./migration.ts";

/** Finds reports by each filter of their lists: a filter that hardly any report meets cost a walk through all of them. */
export const reportFilters: Migration = {
  id: 27,
  name: "report-filters",
  statements: [
    "CREATE INDEX report_by_mode ON report (visibility, benchmark_mode, created_at, id)",
    "CREATE INDEX report_by_type ON report (visibility, benchmark_mode, server_type, created_at, id)",
    "CREATE INDEX report_of_author_by_mode ON report (author_id, visibility, benchmark_mode, created_at, id)",
    "CREATE INDEX report_of_author_by_type ON report (author_id, visibility, benchmark_mode, server_type, created_at, id)",
    "CREATE INDEX report_of_server_by_mode ON report (server_id, visibility, benchmark_mode, created_at, id)",
    "CREATE INDEX report_of_server_by_type ON report (server_id, visibility, benchmark_mode, server_type, created_at, id)",
    "CREATE INDEX report_certified ON report (certificate_expires_at) WHERE certificate_expires_at IS NOT NULL",
  ],
};
