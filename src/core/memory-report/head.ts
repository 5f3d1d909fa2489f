import type { Instant } from "../time.ts";
import type { MemoryReportKind, MemoryReportSchema } from "./memory-report.ts";

/** The facts that lists show, computed from the document once and stored beside it. */
export interface MemoryHead {
  /** The report's id on its server. */
  readonly localId: string;
  readonly kind: MemoryReportKind;
  readonly schema: MemoryReportSchema;
  readonly mode: string | null;
  readonly requestedMode: string | null;
  readonly fallbackReason: string | null;
  readonly heapBytes: number | null;
  readonly topOwner: string | null;
  /** 0 to 100, two decimals. */
  readonly topOwnerPct: number | null;
  readonly suspectsCount: number | null;
  readonly pluginVersion: string | null;
  readonly createdAt: Instant | null;
}
