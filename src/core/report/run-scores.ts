import type { MetricKey } from "./compare.ts";
import type { ReportPayload } from "./payload.ts";
import type { ReportDetail } from "./report.ts";

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

/** A run whose upload cannot be read has no scores: nobody can tell whether its tests succeeded. */
export const runScores = ({ scores, sub_scores }: ReportDetail, payload: ReportPayload | null): RunScores =>
  payload ? { ...scores, ...sub_scores } : none;
