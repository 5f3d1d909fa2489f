import type { ReportPayload } from "../payload.ts";
import {
  bukkitYml,
  isAtMost,
  isAtLeast,
  isSetTo,
  numberSetting,
  paperWorldDefaults,
  spigotYml,
} from "./config-file.ts";
import { msptAvg, scoreOf } from "./measurements.ts";
import { atLeast, below, judge, rule, weakScore, type Condition, type TuningRule } from "./rule.ts";
import { sources } from "./sources.ts";

const busyMspt = 40;

const weakAi = (payload: ReportPayload): Condition => below(scoreOf(payload, "entities_ai"), weakScore);

const activationRange = rule({
  code: "entities_activation_range",
  area: "entities",
  setting: spigotYml("entity-activation-range.monsters"),
  unit: "blocks",
  retest: "entities_ai",
  impact: "high",
  risk: "medium",
  side_effect: "mobs_less_responsive_far_away",
  source: sources.spigot,
  knownTo: "spigot",
  evaluate(payload) {
    const current = numberSetting(payload, "activation_range_monsters");
    // 0 and less switch the limit off: every monster is always active.
    const range = current !== null && current <= 0 ? Number.POSITIVE_INFINITY : current;
    return judge({ current, suggested: 24, because: weakAi(payload), settled: isAtMost(range, 24) });
  },
});

const spawnLimit = rule({
  code: "entities_spawn_limit",
  area: "entities",
  setting: bukkitYml("spawn-limits.monsters"),
  unit: "mobs",
  retest: "entities_ai",
  impact: "high",
  risk: "medium",
  side_effect: "fewer_monsters",
  source: sources.bukkit,
  knownTo: "bukkit",
  evaluate(payload) {
    const current = numberSetting(payload, "spawn_limit_monsters");
    const busy = atLeast(msptAvg(payload), busyMspt);
    return judge({
      current,
      suggested: 20,
      because: weakAi(payload),
      settled: isAtMost(current, 20),
      needs: [busy.holds],
    });
  },
});

const collisions = rule({
  code: "entities_collisions",
  area: "entities",
  setting: paperWorldDefaults("collisions.max-entity-collisions"),
  unit: "entities",
  retest: "entities_ai",
  impact: "medium",
  risk: "low",
  side_effect: "crowded_mobs_push_less",
  source: sources.paperWorld,
  knownTo: "paper",
  evaluate(payload) {
    const current = numberSetting(payload, "max_entity_collisions");
    return judge({ current, suggested: 2, because: weakAi(payload), settled: isAtMost(current, 2) });
  },
});

const inactiveVillagers = rule({
  code: "entities_inactive_villagers",
  area: "entities",
  setting: spigotYml("entity-activation-range.tick-inactive-villagers"),
  unit: null,
  retest: "entities_ai",
  impact: "medium",
  risk: "medium",
  side_effect: "iron_farms_slow_down",
  source: sources.minecraftOptimization,
  knownTo: "spigot",
  evaluate: (payload) =>
    judge({
      current: true,
      suggested: false,
      because: weakAi(payload),
      settled: isSetTo(payload, "tick_inactive_villagers", false),
    }),
});

const itemMerge = rule({
  code: "entities_item_merge",
  area: "entities",
  setting: spigotYml("merge-radius.item"),
  unit: "blocks",
  retest: "entities_items",
  impact: "medium",
  risk: "low",
  side_effect: "dropped_items_jump_together",
  source: sources.spigot,
  knownTo: "spigot",
  evaluate(payload) {
    const current = numberSetting(payload, "merge_radius_item");
    const because = below(scoreOf(payload, "entities_items"), weakScore);
    return judge({ current, suggested: 3.5, because, settled: isAtLeast(current, 3.5) });
  },
});

export const entitiesRules: readonly TuningRule[] = [
  activationRange,
  spawnLimit,
  collisions,
  inactiveVillagers,
  itemMerge,
];
