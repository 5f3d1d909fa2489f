import type { Sample } from "../../core/metric/sample.ts";
import { colorOrNone, type GroupRecord } from "../../core/server/server-group.ts";
import { flag, instant, integer, jsonOf, mapped, table, text, type RowOf } from "../engine/table.ts";

/** Columns of a server's record. An unlinked server has no account, and no record. */
export const serverTable = table("server", {
  id: text,
  account_id: mapped<string, string | null>(
    "text",
    (stored) => {
      if (stored === null) throw new Error("A server without an account was read as a linked one.");
      return stored;
    },
    (value) => value,
  ),
  linked_by: text.aside,
  /** The program that reports for the server: `plugin` or `agent`. */
  sender: text.aside,
  /** End of the retention of an unlinked server; null while linked. */
  kept_until: instant.nullable.aside,
  installation_id: text,
  name: text.nullable,
  verified_at: instant.nullable,
  is_public: flag,
  monitoring_enabled: flag,
  show_address_on_report: flag,
  notify_on_report: flag,
  address: text.nullable,
  port: integer.nullable,
  group_id: text.nullable,
  linked_at: instant,
  created_at: instant,
  last_heartbeat: instant.nullable,
  offer_id: text.nullable.aside,
  regression_since: instant.nullable.aside,
  /** Software that the server reports outside an inventory, as JSON. */
  reported_software: text.nullable.aside,
});

export const serverMonitoringTable = table("server", {
  announcement: text.nullable.aside,
  announced_at: instant.nullable.aside,
  boot_timestamp: instant.nullable,
  last_tick_age_ms: integer.nullable,
  paused_since: instant.nullable,
  last_rejected_at: instant.nullable,
  sampled_at: instant.nullable,
  sample_received_at: instant.nullable,
  sample: jsonOf<Sample>().nullable,
  collect_profile_until: instant.nullable.as("collecting.profile"),
  collect_histogram_until: instant.nullable.as("collecting.class_histogram"),
  /** The version that its plugin or agent last reported of itself. */
  plugin_version: text.nullable,
});

/** What gives a server its place in lists of many. */
export const serverPlaceTable = table("server", {
  /** Of the newest sample: its players, and whether a figure of its ticks is late. */
  player_count: integer.nullable,
  ticks_late: integer.nullable,
  /** The time of the newest entry that its timeline had; null before the first. */
  last_event_at: instant.nullable,
});

export const serverCredentialTable = table("server_credential", {
  digest: text,
  server_id: text,
  claim_digest: text,
  created_at: instant,
  first_used_at: instant.nullable,
  revoked_at: instant.nullable,
});

export const retiredCredentialTable = table("retired_credential", { digest: text, revoked_at: instant });

export const linkCodeTable = table("link_code", {
  code: text,
  installation_id: text,
  claim_digest: text,
  facts: text,
  created_at: instant,
  expires_at: instant,
  used_by: text.nullable,
  server_id: text.nullable,
});

export const serverGroupTable = table("server_group", {
  id: text,
  account_id: text,
  name: text,
  color: mapped<GroupRecord["color"], string | null>("text", colorOrNone, (value) => value),
  sort_order: integer,
  created_at: instant,
  updated_at: instant,
});

/** The order of links among an account's monitored servers; 1 is the oldest. */
export const monitoringOrderTable = table("monitoring_order", {
  server_id: text,
  account_id: text,
  position: integer,
});

export interface ServerTables {
  server: RowOf<typeof serverTable> & RowOf<typeof serverMonitoringTable> & RowOf<typeof serverPlaceTable>;
  server_credential: RowOf<typeof serverCredentialTable>;
  retired_credential: RowOf<typeof retiredCredentialTable>;
  link_code: RowOf<typeof linkCodeTable>;
  server_group: RowOf<typeof serverGroupTable>;
  monitoring_order: RowOf<typeof monitoringOrderTable>;
}
