import { z } from "zod";
import { Id } from "../id.ts";
import { ownerLength } from "../profile/document.ts";
import { thirdPartyText } from "../text/third-party-text.ts";
import { Timestamp } from "../timestamp.ts";
import { MemoryDiagnosis } from "./memory-diagnosis.ts";

export const MemoryReportKind = z.enum(["heap-summary", "heap-analysis"]);
export type MemoryReportKind = z.infer<typeof MemoryReportKind>;

export const MemoryReportSchema = z.enum(["service-heap-summary/1", "service-heap-analysis/1"]);
export type MemoryReportSchema = z.infer<typeof MemoryReportSchema>;

/** A summary is `live` or `all` (with garbage), an analysis `quick`, `full` or `retained` (one plugin). */
export const MemoryReportMode = z.enum(["live", "all", "quick", "full", "retained"]);
export type MemoryReportMode = z.infer<typeof MemoryReportMode>;

/** `heap_bytes` depends on the mode, see `heapBytesOf`; `top_owner` is the plugin that holds most. */
export const MemoryReport = z.object({
  id: Id,
  server_id: Id,
  local_id: thirdPartyText(120),
  kind: MemoryReportKind,
  schema: MemoryReportSchema,
  mode: z.string().nullable(),
  requested_mode: z.string().nullable(),
  fallback_reason: thirdPartyText(64).nullable(),
  heap_bytes: z.int().nullable(),
  top_owner: thirdPartyText(ownerLength).nullable(),
  top_owner_pct: z.number().nullable(),
  suspects_count: z.int().nullable(),
  plugin_version: thirdPartyText(64).nullable(),
  created_at: Timestamp.nullable(),
  uploaded_at: Timestamp.nullable(),
  url: z.string().nullable(),
});
export type MemoryReport = z.infer<typeof MemoryReport>;

export const AccountMemoryReport = MemoryReport.extend({ server_name: thirdPartyText(80).nullable() });
export type AccountMemoryReport = z.infer<typeof AccountMemoryReport>;

/** `diagnosis` is null when the stored document cannot be read. */
export const MemoryReportDetail = MemoryReport.extend({ diagnosis: MemoryDiagnosis.nullable() });
export type MemoryReportDetail = z.infer<typeof MemoryReportDetail>;
