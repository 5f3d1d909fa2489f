import type { Migration } from "./migration.ts";

/** An index for each reason for which a report stands in a list, in the order of the list, and for each filter. */
export const reportLists: Migration = {
  id: 33,
  name: "report-lists",
  statements: [
    "CREATE INDEX report_public_newest ON report (created_at, id) WHERE visibility = 'public'",
    "CREATE INDEX report_public_by_type ON report (server_type, created_at, id) WHERE visibility = 'public'",
    "CREATE INDEX report_public_by_both ON report (server_type, benchmark_mode, created_at, id) WHERE visibility = 'public'",
    "CREATE INDEX report_public_by_mode ON report (benchmark_mode, created_at, id) WHERE visibility = 'public'",
    "CREATE INDEX report_certified ON report (certificate_expires_at) WHERE visibility = 'unlisted'",
    "CREATE INDEX report_of_author_by_type ON report (author_id, server_type, created_at, id)",
    "CREATE INDEX report_of_author_by_both ON report (author_id, server_type, benchmark_mode, created_at, id)",
    "CREATE INDEX report_of_author_by_mode ON report (author_id, benchmark_mode, created_at, id)",
    "CREATE INDEX report_of_server_by_author ON report (server_id, author_id, created_at, id)",
    "DROP INDEX report_newest",
  ],
};
