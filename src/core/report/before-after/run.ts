import type { Instant } from "../../time.ts";
import { reportContext, type RunContext } from "../context.ts";
import type { ReportPayload } from "../payload.ts";
import type { ReportDetail } from "../report.ts";
import { runScores, type RunScores } from "../run-scores.ts";

/** One benchmark run, as a verdict on runs looks at it. */
export interface Run {
  readonly id: string;
  /** Null where it is not known, or not for whoever asks to know. */
  readonly serverId: string | null;
  readonly finishedAt: Instant;
  readonly mode: ReportDetail["benchmark_mode"];
  readonly algorithmVersion: string | null;
  readonly scores: RunScores;
  readonly context: RunContext;
  /** Ids of tests that failed, or of which part never ran. */
  readonly unreliableTests: readonly string[];
}

/**
 * A run from its report as whoever asks may see it, its upload (null when it cannot be read), when it ended, and the
 * ids of the tests whose measurement cannot be trusted.
 */
export function runOf(
  report: ReportDetail,
  payload: ReportPayload | null,
  finishedAt: Instant,
  unreliableTests: readonly string[],
): Run {
  return {
    id: report.id,
    serverId: report.server_id,
    finishedAt,
    mode: report.benchmark_mode,
    algorithmVersion: report.algorithm_version,
    scores: runScores(report, payload),
    context: reportContext(report, payload),
    unreliableTests,
  };
}
