import { MemoryReportKind, MemoryReportSchema } from "../../core/memory-report/memory-report.ts";
import { bytes, instant, integer, oneOf, real, table, text, type RowOf } from "../engine/table.ts";

export const memoryReportTable = table("memory_report", {
  id: text,
  server_id: text,
  local_id: text.as("head.localId"),
  kind: oneOf(MemoryReportKind).as("head.kind"),
  schema: oneOf(MemoryReportSchema).as("head.schema"),
  mode: text.nullable.as("head.mode"),
  requested_mode: text.nullable.as("head.requestedMode"),
  fallback_reason: text.nullable.as("head.fallbackReason"),
  heap_bytes: integer.nullable.as("head.heapBytes"),
  top_owner: text.nullable.as("head.topOwner"),
  top_owner_pct: real.nullable.as("head.topOwnerPct"),
  suspects_count: integer.nullable.as("head.suspectsCount"),
  plugin_version: text.nullable.as("head.pluginVersion"),
  created_at: instant.nullable.as("head.createdAt"),
  uploaded_at: instant,
  /** When the report was created, or uploaded if that is unknown. */
  timeline_at: instant.aside,
});

export const memoryDocumentTable = table("memory_document", { report_id: text, document: bytes });

export const memoryReadingTable = table("memory_reading", {
  report_id: text,
  version: integer,
  diagnosis: bytes,
});

export interface MemoryReportTables {
  memory_report: RowOf<typeof memoryReportTable>;
  memory_document: RowOf<typeof memoryDocumentTable>;
  memory_reading: RowOf<typeof memoryReadingTable>;
}
