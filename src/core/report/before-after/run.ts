import type { Instant } from "../../time.ts";
import { reportContext, type RunContext } from "../context.ts";
import type { ReportPayload } from "../payload.ts";
import type { ReportDetail } from "../report.ts";
import { runScores, type RunScores } from "../run-scores.ts";

export interface Run {
  readonly id: string;
  /** Null if unknown, or hidden from the caller. */
  readonly serverId: string | null;
  readonly finishedAt: Instant;
  readonly mode: ReportDetail["benchmark_mode"];
  readonly algorithmVersion: string | null;
  readonly scores: RunScores;
  readonly context: RunContext;
  /** Ids of tests that failed, or of which a part never ran. */
  readonly unreliableTests: readonly string[];
}

/** `report` is as the caller may see it; `payload` is null if the upload cannot be read. */
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
