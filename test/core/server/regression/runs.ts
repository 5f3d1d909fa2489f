import { MetricKey } from "../../../../src/core/report/compare.ts";
import { scheduledRunOf, type ScheduledRun } from "../../../../src/core/server/regression/run.ts";
import { judgeRegression, type RegressionVerdict } from "../../../../src/core/server/regression/verdict.ts";
import { acceptedPayload, reportDetail, type Json } from "../../../support/payload.ts";

export const hour = 60 * 60 * 1000;
export const day = 24 * hour;
export const now = Date.UTC(2026, 10, 20, 12);

export const scores = (total: number | null): ScheduledRun["scores"] =>
  Object.fromEntries(MetricKey.options.map((key) => [key, total])) as ScheduledRun["scores"];

/** The same run but for these members. */
export const changed = (original: ScheduledRun, changes: Partial<ScheduledRun>): ScheduledRun => ({
  ...original,
  ...changes,
});

let serial = 0;

/** A run with every score at `total`; `upload` is laid over the reference upload. */
export function runAt(finishedAt: number, total: number, upload: Json = {}): ScheduledRun {
  serial += 1;
  const payload = acceptedPayload({ source: "auto_bench", ...upload });
  const report = reportDetail(payload, { id: `report ${String(serial).padStart(5, "0")}` });
  const run = scheduledRunOf(report, payload, finishedAt, { failed: [], unreliable: [] });
  return { ...run, scores: scores(total) };
}

const reference = runAt(now, 1000);

/** One run a day with these totals, the last of them today; all in the reference's conditions. */
export const daily = (totals: readonly number[], changes: Partial<ScheduledRun> = {}): ScheduledRun[] =>
  totals.map((total, index) => ({
    ...reference,
    reportId: `run ${String(index + 1).padStart(3, "0")}`,
    finishedAt: now - (totals.length - 1 - index) * day,
    scores: scores(total),
    ...changes,
  }));

export const judged = (runs: readonly ScheduledRun[], at = now): RegressionVerdict =>
  judgeRegression("server", runs, at);

/** The verdict in a word, with its reason. */
export const word = ({ verdict, reason }: RegressionVerdict): string => reason ?? verdict;

/** Ten steady days, of 5000 points. */
export const steady = [5000, 5010, 4990, 5005, 4995, 5002, 4998, 5001, 5003, 4997];
