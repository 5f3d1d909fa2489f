import { parseInstant, toTimestamp, toTimestampOrNull, type Instant } from "../time.ts";
import type { MemoryDocument } from "./document.ts";
import { fallbackOf, suspectsOf } from "./findings.ts";
import type { MemoryHead } from "./head.ts";
import type { MemoryDiagnosis } from "./memory-diagnosis.ts";
import { heapBytesOf, ownersOf, heapPct, wholeOf } from "./measured.ts";
import type { AccountMemoryReport, MemoryReport, MemoryReportDetail } from "./memory-report.ts";
import type { MemoryReportRecord } from "./records.ts";

export function headOf(document: MemoryDocument): MemoryHead {
  const isAnalysis = document.schema === "service-heap-analysis/1";
  const top = ownersOf(document).find(({ plugin, bytes }) => plugin && bytes > 0);
  return {
    localId: document.local_id,
    kind: isAnalysis ? "heap-analysis" : "heap-summary",
    schema: document.schema,
    mode: document.mode,
    requestedMode: isAnalysis ? document.requested_mode : null,
    fallbackReason: fallbackOf(document)?.reason ?? null,
    heapBytes: heapBytesOf(document),
    topOwner: top?.owner ?? null,
    topOwnerPct: top === undefined ? null : heapPct(top.bytes, wholeOf(document)),
    suspectsCount: document.mode === "full" ? (suspectsOf(document)?.length ?? null) : null,
    pluginVersion: document.plugin_version,
    createdAt: document.created_at === null ? null : parseInstant(document.created_at),
  };
}

export const memoryReportTime = ({ head, uploadedAt }: MemoryReportRecord): Instant =>
  head.createdAt ?? uploadedAt;

export function toMemoryReport(record: MemoryReportRecord, baseUrl: string): MemoryReport {
  const { id, serverId, head } = record;
  return {
    id,
    server_id: serverId,
    local_id: head.localId,
    kind: head.kind,
    schema: head.schema,
    mode: head.mode,
    requested_mode: head.requestedMode,
    fallback_reason: head.fallbackReason,
    heap_bytes: head.heapBytes,
    top_owner: head.topOwner,
    top_owner_pct: head.topOwnerPct,
    suspects_count: head.suspectsCount,
    plugin_version: head.pluginVersion,
    created_at: toTimestampOrNull(head.createdAt),
    uploaded_at: toTimestamp(record.uploadedAt),
    url: `${baseUrl}/servers/${serverId}/memory-reports/${id}`,
  };
}

export const toAccountMemoryReport = (record: MemoryReportRecord, baseUrl: string): AccountMemoryReport =>
  Object.assign(toMemoryReport(record, baseUrl), { server_name: record.serverName });

export const toMemoryReportDetail = (
  record: MemoryReportRecord,
  diagnosis: MemoryDiagnosis | null,
  baseUrl: string,
): MemoryReportDetail => Object.assign(toMemoryReport(record, baseUrl), { diagnosis });
