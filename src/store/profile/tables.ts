import type { StoredSummary } from "../../core/profile/profile.ts";
import { bytes, instant, integer, jsonOf, real, table, text, type RowOf } from "../engine/table.ts";

export const profileSummaryTable = table("profile_summary", {
  id: text,
  server_id: text,
  local_id: text.aside,
  plugin_version: text.nullable,
  triggered_by: text.nullable.aside,
  captured_at: instant.nullable,
  uploaded_at: instant,
  /** When the profile was captured, or uploaded if that is unknown. */
  timeline_at: instant.aside,
  summary: jsonOf<StoredSummary>(),
});

export const profileOwnerTable = table("profile_owner", {
  server_id: text,
  owner: text,
  timeline_at: instant,
  summary_id: text,
  triggered_by: text.nullable,
});

export const profileDocumentTable = table("profile_document", {
  id: text,
  server_id: text,
  summary_id: text,
  uploaded_at: instant,
  longest_tick_ms: real.nullable,
  service_version: text.nullable,
  document: bytes,
});

export const profileReadingTable = table("profile_reading", {
  profile_id: text,
  version: integer,
  detail: bytes,
  flame_graph: bytes,
});

export const profileLinkTable = table("profile_link", {
  id: text,
  account_id: text,
  summary_id: text,
  digest: text.aside,
  created_at: instant,
  expires_at: instant,
});

export interface ProfileTables {
  profile_link: RowOf<typeof profileLinkTable>;
  profile_summary: RowOf<typeof profileSummaryTable>;
  profile_owner: RowOf<typeof profileOwnerTable>;
  profile_document: RowOf<typeof profileDocumentTable>;
  profile_reading: RowOf<typeof profileReadingTable>;
}
