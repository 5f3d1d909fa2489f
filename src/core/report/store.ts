import type { TimePosition } from "../position.ts";
import type { Instant } from "../time.ts";
import type { Viewer } from "../viewer.ts";
import type { ReportContent } from "./detail.ts";
import type { Report } from "./report.ts";

/** A stored report: what never changes (`content`), and what its author, the operator and time change. */
export interface ReportRecord {
  readonly id: string;
  readonly shortId: string;
  readonly authorId: string | null;
  readonly serverId: string | null;
  /** The account that holds the originating server now, and whether that server is verified. */
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

export interface ReportStore {
  /** Stores the report, or finds the one this server sent under the same local id. */
  insert(report: NewReport): Promise<{ id: string; shortId: string; created: boolean }>;
  /** By full or short id; null when the viewer may not see it, or it has expired. */
  find(id: string, viewer: Viewer, now: Instant): Promise<ReportRecord | null>;
  /** What the viewer's list shows, newest first. */
  list(
    viewer: Viewer,
    filter: ReportFilter,
    after: TimePosition | null,
    limit: number,
    now: Instant,
  ): Promise<ReportRecord[]>;
  update(id: string, changes: ReportChanges): Promise<void>;
}
