import type { ScheduledRunClaim } from "../auto-bench/run-claim.ts";
import type { Instant } from "../time.ts";
import type { ReportContent } from "./detail.ts";
import type { Report } from "./report.ts";

/** `content` never changes; the author, the operator and time change the rest. */
export interface ReportRecord {
  readonly id: string;
  readonly shortId: string;
  readonly authorId: string | null;
  readonly serverId: string | null;
  /** The account that holds the originating server now. */
  readonly holderId: string | null;
  readonly holderVerified: boolean;
  readonly visibility: Report["visibility"];
  readonly source: Report["source"];
  readonly certifiedAt: Instant | null;
  readonly certificateExpiresAt: Instant | null;
  readonly createdAt: Instant;
  readonly finishedAt: Instant;
  readonly expiresAt: Instant | null;
  readonly description: string | null;
  /** What its author calls it. */
  readonly label: string | null;
  readonly content: ReportContent;
}

export interface NewReport {
  readonly id: string;
  readonly shortId: string;
  readonly localId: string;
  readonly serverId: string;
  readonly authorId: string;
  readonly source: Report["source"];
  readonly createdAt: Instant;
  readonly finishedAt: Instant;
  readonly expiresAt: Instant | null;
  readonly description: string | null;
  readonly content: ReportContent;
  /** The upload, unknown keys included, as JSON text. */
  readonly payload: string;
  readonly run?: ScheduledRunClaim | null;
}

export interface ReportFilter {
  readonly mine: boolean;
  readonly visibility: Report["visibility"] | null;
  readonly serverType: string | null;
  readonly benchmarkMode: Report["benchmark_mode"] | null;
  readonly serverId: string | null;
}

export interface ReportChanges {
  readonly visibility?: Report["visibility"];
  readonly description?: string | null;
  readonly privateNotes?: string | null;
}

/** Only the author of a report sees this. */
export interface OwnReport {
  readonly privateNotes: string | null;
  /** Number of single tests that are deleted with the report. */
  readonly singleTests: number;
}

/** `certified`: a certificate protects the report; `gone`: it was deleted in the meantime. */
export type ReportRemoval = "removed" | "certified" | "gone";

/** `payload` is the upload as JSON text. */
export interface UploadedReport {
  readonly report: ReportRecord;
  readonly payload: string;
}
