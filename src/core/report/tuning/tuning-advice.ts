import { z } from "zod";
import { Id } from "../../id.ts";
import type { ReportPayload } from "../payload.ts";
import type { JudgedReport } from "../stored-payload.ts";
import { chunksRules } from "./chunks-rules.ts";
import { cpuRules } from "./cpu-rules.ts";
import { diskRules } from "./disk-rules.ts";
import { entitiesRules } from "./entities-rules.ts";
import { familyOf, reads } from "./family.ts";
import { gates } from "./gates.ts";
import { jvmRules } from "./jvm-rules.ts";
import { mechanicsRules } from "./mechanics-rules.ts";
import { memoryRules } from "./memory-rules.ts";
import { AreaAdvice, Recommendation, TuningArea } from "./recommendation.ts";
import type { Evaluation, TuningRule } from "./rule.ts";

/** Adding, removing or changing a rule makes a new version. */
export const tuningVersion = "3";

export const TuningAdvice = z.object({
  report_id: Id,
  short_id: Id,
  algorithm_version: z.string().nullable(),
  tuning_version: z.string(),
  areas: z.array(AreaAdvice),
  recommendations: z.array(Recommendation),
});
export type TuningAdvice = z.infer<typeof TuningAdvice>;

export const tuningRules: readonly TuningRule[] = [
  ...cpuRules,
  ...memoryRules,
  ...jvmRules,
  ...diskRules,
  ...chunksRules,
  ...entitiesRules,
  ...mechanicsRules,
];

interface Judged {
  readonly rule: TuningRule;
  readonly evaluation: Evaluation;
}

/** Skips settings that the server's software does not have; unknown software may have any setting. */
function judged(payload: ReportPayload): Judged[] {
  if (payload.benchmark_mode === "custom") return [];
  const family = familyOf(payload);
  return tuningRules
    .filter(
      ({ knownTo, uselessOn }) =>
        family === null || ((knownTo === null || reads(family, knownTo)) && family !== uselessOn),
    )
    .map((rule) => ({ rule, evaluation: rule.evaluate(payload) }));
}

function recommendationOf({ rule, evaluation }: Judged): Recommendation[] {
  if (typeof evaluation === "string") return [];
  const { code, area, setting, unit, retest, impact, risk, side_effect, source } = rule;
  const { current, suggested, trigger } = evaluation;
  return [
    {
      code,
      area,
      setting,
      current,
      suggested,
      unit,
      trigger,
      retest,
      impact,
      risk,
      side_effect,
      source,
    },
  ];
}

function statusOf(
  payload: ReportPayload,
  area: TuningArea,
  evaluations: readonly Evaluation[],
): Pick<AreaAdvice, "status" | "reason"> {
  if (payload.benchmark_mode === "custom") return { status: "not_measured", reason: "custom_mode" };
  if (evaluations.some((evaluation) => typeof evaluation === "object"))
    return { status: "recommended", reason: null };
  const missing = gates[area](payload);
  if (missing !== null) return { status: "not_measured", reason: missing };
  return evaluations.length > 0 && evaluations.every((evaluation) => evaluation === "unknown")
    ? { status: "not_measured", reason: "settings_unknown" }
    : { status: "nothing_to_change", reason: null };
}

const impacts = Recommendation.shape.impact.options;
const risks = Recommendation.shape.risk.options;

const inOrder = (a: Recommendation, b: Recommendation): number =>
  impacts.indexOf(a.impact) - impacts.indexOf(b.impact) ||
  risks.indexOf(a.risk) - risks.indexOf(b.risk) ||
  (a.code < b.code ? -1 : 1);

/** Most impact first, then least risk; settings that are unknown or good already give no advice. */
export function adviseTuning({ id, shortId, content }: JudgedReport, payload: ReportPayload): TuningAdvice {
  const all = judged(payload);
  const recommendations = all.flatMap(recommendationOf).sort(inOrder);
  const areas = TuningArea.options.map((area) => {
    const evaluations = all.filter(({ rule }) => rule.area === area).map(({ evaluation }) => evaluation);
    const count = recommendations.filter((recommendation) => recommendation.area === area).length;
    return Object.assign({ area }, statusOf(payload, area, evaluations), { recommendations: count });
  });
  return {
    report_id: id,
    short_id: shortId,
    algorithm_version: content.algorithm_version,
    tuning_version: tuningVersion,
    areas,
    recommendations,
  };
}
