import type { ScheduledRunClaim } from "../auto-bench/run-claim.ts";
import type { TraceOf } from "../event/trace.ts";
import type { NewNotice } from "../notice/notice.ts";
import type { TimePosition } from "../position.ts";
import type { Instant } from "../time.ts";
import type { NewUnitTest } from "../unit-test/store.ts";
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
  /** The scheduled run it belongs to. */
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

/** What is known of a report for its author alone. */
export interface OwnReport {
  readonly privateNotes: string | null;
  /** How many single tests go where it goes. */
  readonly singleTests: number;
}

/** `certified`: a certificate holds it; `gone`: somebody was faster. */
export type ReportRemoval = "removed" | "certified" | "gone";

export interface ReportStore {
  /**
   * Stores the report, with the single test it is where it is one, and tells its owner; or finds the one this
   * server sent under the same local id.
   */
  insert(
    report: NewReport,
    notice?: NewNotice | null,
    unitTest?: NewUnitTest | null,
  ): Promise<{ id: string; shortId: string; created: boolean }>;
  /** By full or short id; null when the viewer may not see it, or it has expired. */
  find(id: string, viewer: Viewer, now: Instant): Promise<ReportRecord | null>;
  /** The JSON text of a report's upload, by full id, whoever asks: `find` says who may. Null when it is gone. */
  payload(id: string): Promise<string | null>;
  /** Scheduled runs of a server that ended in the period, both ends included, with their uploads; oldest first. */
  scheduled(
    serverId: string,
    period: { readonly from: Instant; readonly to: Instant },
    after: TimePosition | null,
    limit: number,
  ): Promise<{ readonly report: ReportRecord; readonly payload: string }[]>;
  /** What the viewer's list shows, newest first. */
  list(
    viewer: Viewer,
    filter: ReportFilter,
    after: TimePosition | null,
    limit: number,
    now: Instant,
  ): Promise<ReportRecord[]>;
  /**
   * `traceOf` is asked about the visibility before and after; what changes nothing is not written. A report's
   * single tests go where it goes, but those whose description `isPublishable` turns down.
   */
  update(
    id: string,
    changes: ReportChanges,
    traceOf?: TraceOf<Report["visibility"]>,
    isPublishable?: (description: string) => boolean,
  ): Promise<void>;
  /** By full id, whoever asks; null when it is gone. */
  own(id: string): Promise<OwnReport | null>;
  /** Takes it away for good, with its upload and the single tests that go where it goes. */
  remove(id: string, now: Instant): Promise<ReportRemoval>;
}
