import { tuningVersion, type TuningAdvice } from "../../../core/report/tuning/tuning-advice.ts";
import { exampleReport } from "./example-report.ts";

type Area = TuningAdvice["areas"][number];

const calm = (area: Area["area"]): Area => ({
  area,
  status: "nothing_to_change",
  reason: null,
  recommendations: 0,
});

export const exampleTuningAdvice: TuningAdvice = {
  report_id: exampleReport.id,
  short_id: exampleReport.short_id,
  algorithm_version: exampleReport.algorithm_version,
  tuning_version: tuningVersion,
  areas: [
    calm("cpu"),
    calm("memory"),
    calm("jvm"),
    { area: "disk", status: "not_measured", reason: "test_absent", recommendations: 0 },
    calm("chunks"),
    { area: "entities", status: "recommended", reason: null, recommendations: 1 },
    calm("mechanics"),
  ],
  recommendations: [
    {
      code: "entities_activation_range",
      area: "entities",
      setting: {
        kind: "config",
        file: "spigot.yml",
        key: "world-settings.default.entity-activation-range.monsters",
      },
      current: 32,
      suggested: 24,
      unit: "blocks",
      trigger: {
        metric: "entities_ai.score",
        value: 412,
        unit: "score",
        comparator: "below",
        threshold: 600,
      },
      retest: { test_id: "entities_ai", metric: "entities" },
      impact: "high",
      risk: "medium",
      side_effect: "mobs_less_responsive_far_away",
      source: "https://docs.papermc.io/paper/reference/spigot-configuration",
    },
  ],
};
