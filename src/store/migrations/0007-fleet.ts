import type { Migration } from "./migration.ts";

/**
 * What decides a server's place among all of its account, so that a list reads the samples, events and alerts of those
 * that it shows alone. The next heartbeat of each server that is there says whether its ticks are late.
 */
export const fleetPlaces: Migration = {
  id: 7,
  name: "fleet-places",
  statements: [
    "ALTER TABLE server ADD COLUMN player_count BIGINT",
    "ALTER TABLE server ADD COLUMN ticks_late SMALLINT",
    "ALTER TABLE server ADD COLUMN last_event_at BIGINT",
    "UPDATE server SET player_count = {{number sample.player_count}} WHERE sample IS NOT NULL",
    "UPDATE server SET last_event_at = (SELECT max(e.timeline_at) FROM server_event AS e WHERE e.server_id = server.id)",
    "CREATE INDEX server_by_last_event ON server (account_id, last_event_at) WHERE last_event_at IS NOT NULL",
    "CREATE INDEX alert_in_progress_of_server ON alert (account_id, server_id, kind) WHERE status <> 'resolved'",
  ],
};
