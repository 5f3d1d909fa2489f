import type { ReportPayload } from "../payload.ts";
import { isAtLeast, isSetTo, numberSetting, paperWorldDefaults, spigotYml } from "./config-file.ts";
import { scoreOf } from "./measurements.ts";
import { below, judge, rule, weakScore, type Condition, type TuningRule } from "./rule.ts";
import { sources } from "./sources.ts";

const weakHoppers = (payload: ReportPayload): Condition =>
  below(scoreOf(payload, "mechanics_hopper"), weakScore);

export const mechanicsRules: readonly TuningRule[] = [
  rule({
    code: "mechanics_redstone_impl",
    area: "mechanics",
    setting: paperWorldDefaults("misc.redstone-implementation"),
    unit: null,
    retest: "mechanics_redstone",
    impact: "high",
    risk: "low",
    side_effect: "order_of_redstone_updates_differs",
    source: sources.paperWorld,
    knownTo: "paper",
    evaluate(payload) {
      const { redstone_implementation: implementation } = payload.config;
      return judge({
        current: "VANILLA",
        suggested: "ALTERNATE_CURRENT",
        because: below(scoreOf(payload, "mechanics_redstone"), weakScore),
        settled: typeof implementation === "string" ? implementation !== "VANILLA" : null,
      });
    },
  }),
  rule({
    code: "mechanics_hopper_occluding",
    area: "mechanics",
    setting: paperWorldDefaults("hopper.ignore-occluding-blocks"),
    unit: null,
    retest: "mechanics_hopper",
    impact: "medium",
    risk: "low",
    side_effect: "hoppers_ignore_containers_inside_blocks",
    source: sources.paperWorld,
    knownTo: "paper",
    evaluate: (payload) =>
      judge({
        current: false,
        suggested: true,
        because: weakHoppers(payload),
        settled: isSetTo(payload, "hopper_ignore_occluding_blocks", true),
      }),
  }),
  rule({
    code: "mechanics_hopper_check",
    area: "mechanics",
    setting: spigotYml("ticks-per.hopper-check"),
    unit: "ticks",
    retest: "mechanics_hopper",
    impact: "medium",
    risk: "medium",
    side_effect: "hopper_clocks_and_sorters_change",
    source: sources.spigot,
    knownTo: "spigot",
    evaluate(payload) {
      const current = numberSetting(payload, "hopper_check_ticks");
      return judge({ current, suggested: 8, because: weakHoppers(payload), settled: isAtLeast(current, 8) });
    },
  }),
];
