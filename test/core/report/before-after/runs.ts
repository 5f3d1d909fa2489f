import type { Run } from "../../../../src/core/report/before-after/run.ts";
import { runOf } from "../../../../src/core/report/before-after/run.ts";
import { targetOf, type MetricTarget } from "../../../../src/core/report/before-after/targets.ts";
import {
  beforeAfterVerdict,
  type BeforeAfterVerdict,
} from "../../../../src/core/report/before-after/verdict.ts";
import { MetricKey } from "../../../../src/core/report/compare.ts";
import type { ContextField } from "../../../../src/core/report/context.ts";
import { acceptedPayload, reportDetail, type Json } from "../../../support/payload.ts";

export const hour = 60 * 60 * 1000;
export const day = 24 * hour;
export const noon = Date.UTC(2026, 10, 20, 12);

export const target = (value: string): MetricTarget => {
  const found = targetOf(value);
  if (!found) throw new Error(`${value} is no target.`);
  return found;
};

/** The reference run with every score at 1000; `upload` is laid over its upload, `changes` over the run. */
export function run(changes: Partial<Run> = {}, upload: Json = {}): Run {
  const payload = acceptedPayload(upload);
  const made = runOf(reportDetail(payload, { server_id: "server" }), payload, noon, []);
  return { ...made, ...changes };
}

/** The same run but for these members. */
export const changed = (original: Run, changes: Partial<Run>): Run => ({ ...original, ...changes });

export const allScores = (score: number | null): Run["scores"] =>
  Object.fromEntries(MetricKey.options.map((key) => [key, score])) as Run["scores"];

/** Runs an hour apart that score so, all in the same conditions. */
export const side = (scores: readonly number[], firstAt: number, upload: Json = {}): Run[] =>
  scores.map((score, index) =>
    run({ id: `${firstAt} ${index}`, finishedAt: firstAt + index * hour, scores: allScores(score) }, upload),
  );

export interface Sides {
  readonly before: readonly Run[];
  readonly after: readonly Run[];
}

/** Runs of a day before and a day after; the upload of either side can be changed. */
export const sides = (
  before: readonly number[],
  after: readonly number[],
  uploadBefore: Json = {},
  uploadAfter: Json = {},
): Sides => ({
  before: side(before, noon, uploadBefore),
  after: side(after, noon + day, uploadAfter),
});

export const judged = (
  { before, after }: Sides,
  value = "total",
  declared: readonly ContextField[] = [],
): BeforeAfterVerdict => beforeAfterVerdict(before, after, target(value), declared);

export const codes = ({ refusals }: BeforeAfterVerdict): string[] => refusals.map(({ code }) => code);
export const caveatCodes = ({ caveats }: BeforeAfterVerdict): string[] => caveats.map(({ code }) => code);
