import type { Migration } from "./migration.ts";

/** Finds the newest events of one type: without it, a type that a server hardly ever reports costs its whole timeline. */
export const eventsByType: Migration = {
  id: 21,
  name: "events-by-type",
  statements: ["CREATE INDEX server_event_of_type ON server_event (type, server_id, timeline_at, id)"],
};
