import type { Migration } from "./migration.ts";

/** Finds what each filter of a list leaves, in the order of the list. */
export const listFilters: Migration = {
  id: 40,
  name: "list-filters",
  statements: [
    "CREATE INDEX server_event_by_type ON server_event (server_id, type, timeline_at, id)",
    "CREATE INDEX server_event_by_source ON server_event (server_id, source, timeline_at, id)",
    "CREATE INDEX server_event_by_category ON server_event (server_id, category, timeline_at, id)",
    "CREATE INDEX server_event_by_severity ON server_event (server_id, severity, timeline_at, id)",
    "DROP INDEX server_event_of_type",
    "CREATE INDEX server_by_id ON server (account_id, id)",
    // Most servers have no offer: counted in, they would make a database believe that every offer has as many.
    "DROP INDEX server_of_offer",
    "CREATE INDEX server_of_offer ON server (offer_id) WHERE offer_id IS NOT NULL",
    "CREATE INDEX server_newest ON server (account_id, created_at, id)",
    "CREATE INDEX alert_newest_of_server ON alert (server_id, opened_at, id)",
    "DROP INDEX alert_of_server",
    "CREATE INDEX report_of_server_newest ON report (server_id, created_at, id)",
    "CREATE INDEX report_of_author_by_visibility ON report (author_id, visibility, created_at, id)",
  ],
};
