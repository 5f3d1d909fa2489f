import { EventCategory, EventSeverity } from "../../core/event/server-event.ts";
import { instant, integer, jsonOf, oneOf, table, text } from "../engine/table.ts";

export const serverEventTable = table("server_event", {
  id: text,
  server_id: text,
  local_id: text.nullable,
  type: text,
  category: oneOf(EventCategory),
  source: text,
  severity: oneOf(EventSeverity),
  title: text,
  description: text.nullable,
  /** JSON text escapes what PostgreSQL text cannot hold: U+0000 and lone surrogates. */
  metadata: jsonOf<unknown>().nullable,
  happened_at: instant.nullable,
  timeline_at: instant.aside,
  duration_ms: integer.nullable,
  received_at: instant,
});
