import type { ReportSource, Visibility } from "../report/report.ts";
import type { ScheduledRunClaim } from "../auto-bench/run-claim.ts";
import type { Instant } from "../time.ts";
import type { UnitTestContent } from "./content.ts";
import type { UnitTestMode } from "./unit-test.ts";

/** A stored single test, as one viewer may see it. */
export interface UnitTestRecord {
  readonly id: string;
  readonly shortId: string;
  readonly authorId: string | null;
  readonly serverId: string | null;
  /** The account that holds the originating server now. */
  readonly holderId: string | null;
  /** Null if there is none, or if a list does not show it to this viewer. */
  readonly parentReportId: string | null;
  readonly visibility: Visibility;
  readonly source: ReportSource;
  /** The hosting provider of the offer the server was on at upload. */
  readonly provider: string | null;
  readonly testedAt: Instant | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly content: UnitTestContent;
}

export interface NewUnitTest {
  readonly id: string;
  readonly shortId: string;
  readonly localId: string;
  readonly serverId: string;
  readonly authorId: string;
  /** Names a report of the same server; without such a report the test has no parent. */
  readonly parentReportLocalId: string | null;
  /** Null without a nonce, and for a test made of a report, which belongs to that report's run. */
  readonly run: ScheduledRunClaim | null;
  readonly source: ReportSource;
  readonly testedAt: Instant | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly content: UnitTestContent;
}

export interface UnitTestFilter {
  readonly mine: boolean;
  readonly testId: string | null;
  readonly category: string | null;
  readonly benchmarkMode: UnitTestMode | null;
  /** A full or short id. */
  readonly parentReportId: string | null;
  readonly serverId: string | null;
}
