import { isScoredTest } from "../../report/test-metrics.ts";
import type { MetricKey } from "../../report/compare.ts";
import { contextOf, type RunContext } from "../../report/context.ts";
import type { ReportPayload } from "../../report/payload.ts";
import type { ReportDetail } from "../../report/report.ts";
import type { TroubledTests } from "../../report/troubled-tests.ts";
import type { Instant } from "../../time.ts";

/** One scheduled run, as the regression rule looks at it. */
export interface ScheduledRun {
  readonly reportId: string;
  readonly finishedAt: Instant;
  readonly mode: ReportDetail["benchmark_mode"];
  readonly algorithmVersion: string | null;
  readonly scores: Readonly<Record<MetricKey, number | null>>;
  readonly context: RunContext;
  /** Whether a test that feeds a score failed, or ran in part only. */
  readonly hasFailedTest: boolean;
  readonly hasUnreliableTest: boolean;
}

/** A run from its report, its upload and the troubled tests found in it. */
export const scheduledRunOf = (
  report: ReportDetail,
  payload: ReportPayload,
  finishedAt: Instant,
  { failed, unreliable }: TroubledTests,
): ScheduledRun => ({
  reportId: report.id,
  finishedAt,
  mode: report.benchmark_mode,
  algorithmVersion: report.algorithm_version,
  scores: { ...report.scores, ...report.sub_scores },
  context: contextOf(report, payload),
  hasFailedTest: failed.some(isScoredTest),
  hasUnreliableTest: unreliable.some(isScoredTest),
});
