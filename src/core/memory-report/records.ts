import type { Instant } from "../time.ts";
import type { MemoryHead } from "./head.ts";
import type { MemoryReportKind, MemoryReportMode } from "./memory-report.ts";

/** A stored memory report as lists show it; the document is read apart. */
export interface MemoryReportRecord {
  readonly id: string;
  readonly serverId: string;
  /** As its owner names it now. */
  readonly serverName: string | null;
  readonly uploadedAt: Instant;
  readonly head: MemoryHead;
}

/** An upload after it was read: the facts of its row, and the document and its diagnosis as packed JSON. */
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
  /** One server; null for all of the account's. */
  readonly serverId: string | null;
  readonly kind: MemoryReportKind | null;
  readonly mode: MemoryReportMode | null;
  /** By creation, or by upload where that is unknown; `from` inclusive, `to` exclusive. */
  readonly from: Instant | null;
  readonly to: Instant | null;
}
