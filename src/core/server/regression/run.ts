import { isScoredTest } from "../../report/test-metrics.ts";
import { reportContext, type RunContext } from "../../report/context.ts";
import type { ReportPayload } from "../../report/payload.ts";
import type { ReportDetail } from "../../report/report.ts";
import { runScores, type RunScores } from "../../report/run-scores.ts";
import type { TroubledTests } from "../../report/troubled-tests.ts";
import type { Instant } from "../../time.ts";

export interface ScheduledRun {
  readonly reportId: string;
  readonly finishedAt: Instant;
  readonly mode: ReportDetail["benchmark_mode"];
  readonly algorithmVersion: string | null;
  readonly scores: RunScores;
  readonly context: RunContext;
  /** A test that feeds a score failed, or ran only in part. */
  readonly hasFailedTest: boolean;
  readonly hasUnreliableTest: boolean;
}

/** `payload` is null if the upload cannot be read. */
export const scheduledRunOf = (
  report: ReportDetail,
  payload: ReportPayload | null,
  finishedAt: Instant,
  { failed, unreliable }: TroubledTests,
): ScheduledRun => ({
  reportId: report.id,
  finishedAt,
  mode: report.benchmark_mode,
  algorithmVersion: report.algorithm_version,
  scores: runScores(report, payload),
  context: reportContext(report, payload),
  hasFailedTest: failed.some(isScoredTest),
  hasUnreliableTest: unreliable.some(isScoredTest),
});
