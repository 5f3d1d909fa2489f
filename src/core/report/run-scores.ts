import type { MetricKey } from "./compare.ts";
import type { ReportPayload } from "./payload.ts";
import type { ReportDetail } from "./report.ts";

/** The scores of one run, as verdicts on several runs hold them against each other. */
export type RunScores = Readonly<Record<MetricKey, number | null>>;

const none: RunScores = {
  total: null,
  single_core: null,
  gameplay: null,
  hardware: null,
  memory: null,
  disk: null,
  multi_core: null,
  exploration: null,
  entities: null,
  mechanics: null,
};

/**
 * The scores that count. A run whose upload cannot be read has none: whether the tests behind them went well, nobody
 * can tell.
 */
export const runScores = ({ scores, sub_scores }: ReportDetail, payload: ReportPayload | null): RunScores =>
  payload ? { ...scores, ...sub_scores } : none;
