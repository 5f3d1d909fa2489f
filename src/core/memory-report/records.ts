import type { Instant } from "../time.ts";
import type { MemoryHead } from "./head.ts";
import type { MemoryReportKind, MemoryReportMode } from "./memory-report.ts";

/** As lists show it; the document is read separately. */
export interface MemoryReportRecord {
  readonly id: string;
  readonly serverId: string;
  /** The current name. */
  readonly serverName: string | null;
  readonly uploadedAt: Instant;
  readonly head: MemoryHead;
}

/** An upload after it was read; `document` and `diagnosis` are packed JSON. */
export interface ReadMemoryReport {
  readonly head: MemoryHead;
  readonly document: Uint8Array;
  readonly diagnosis: Uint8Array;
}

export interface NewMemoryReport extends ReadMemoryReport {
  readonly id: string;
  readonly serverId: string;
  readonly uploadedAt: Instant;
}

export interface MemoryReportFilter {
  /** Null: all servers of the account. */
  readonly serverId: string | null;
  readonly kind: MemoryReportKind | null;
  readonly mode: MemoryReportMode | null;
  /** By creation, or by upload if that is unknown; `from` inclusive, `to` exclusive. */
  readonly from: Instant | null;
  readonly to: Instant | null;
}
