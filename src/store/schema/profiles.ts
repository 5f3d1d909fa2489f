interface ProfileSummaryTable {
  id: string;
  server_id: string;
  local_id: string;
  plugin_version: string | null;
  triggered_by: string | null;
  captured_at: number | null;
  uploaded_at: number;
  timeline_at: number;
  summary: string;
}

interface ProfileOwnerTable {
  server_id: string;
  owner: string;
  timeline_at: number;
  summary_id: string;
  triggered_by: string | null;
}

interface ProfileDocumentTable {
  id: string;
  server_id: string;
  summary_id: string;
  uploaded_at: number;
  longest_tick_ms: number | null;
  service_version: string | null;
  document: Uint8Array;
}

interface ProfileReadingTable {
  profile_id: string;
  version: number;
  detail: Uint8Array;
  flame_graph: Uint8Array;
}

interface MemoryReadingTable {
  report_id: string;
  version: number;
  diagnosis: Uint8Array;
}

interface MemoryReportTable {
  id: string;
  server_id: string;
  local_id: string;
  kind: string;
  schema: string;
  mode: string | null;
  requested_mode: string | null;
  fallback_reason: string | null;
  heap_bytes: number | null;
  top_owner: string | null;
  top_owner_pct: number | null;
  suspects_count: number | null;
  plugin_version: string | null;
  created_at: number | null;
  uploaded_at: number;
  timeline_at: number;
}

interface MemoryDocumentTable {
  report_id: string;
  document: Uint8Array;
}

export interface ProfileTables {
  profile_summary: ProfileSummaryTable;
  profile_owner: ProfileOwnerTable;
  profile_document: ProfileDocumentTable;
  profile_reading: ProfileReadingTable;
  memory_report: MemoryReportTable;
  memory_document: MemoryDocumentTable;
  memory_reading: MemoryReadingTable;
}
