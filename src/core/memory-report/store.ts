import type { Plans } from "../access/plan.ts";
import type { TimePosition } from "../position.ts";
import type { Instant } from "../time.ts";
import type { MemoryHead } from "./head.ts";
import type { MemoryDiagnosis } from "./memory-diagnosis.ts";
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

export interface MemoryReportStore {
  /**
   * Stores a report, unless the server sent its `local_id` before; either way answers the id of what is stored.
   * Reports beyond what the owner's plan keeps per server go, those uploaded first before others.
   */
  insert(report: NewMemoryReport, plans: Plans): Promise<{ id: string; created: boolean }>;
  /** Of the account's servers, newest first by the time of the filter. */
  list(
    accountId: string,
    filter: MemoryReportFilter,
    after: TimePosition | null,
    limit: number,
  ): Promise<MemoryReportRecord[]>;
  find(serverId: string, id: string): Promise<MemoryReportRecord | null>;
  /** What was uploaded, as packed JSON; null once it is gone. */
  document(id: string): Promise<Uint8Array | null>;
  /** The stored diagnosis; null where none of this version is stored, or its bytes are damaged. */
  diagnosis(id: string): Promise<MemoryDiagnosis | null>;
  /** Keeps the diagnosis of a report that was stored without it, for as long as the report itself. */
  keepDiagnosis(id: string, diagnosis: Uint8Array): Promise<void>;
}
