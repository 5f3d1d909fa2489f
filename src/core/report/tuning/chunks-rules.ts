import { isAtMost, isSetTo, numberSetting, paperWorldDefaults, serverProperties } from "./config-file.ts";
import { chunksPerSecond, msptAvg, scoreOf, slowerP99, tpsMin } from "./measurements.ts";
import { above, anyOf, atLeast, below, judge, rule, weakScore, type TuningRule } from "./rule.ts";
import { sources } from "./sources.ts";

const tickBudgetMs = 50;
const busyMspt = 40;
const tpsFloor = 16;
const slowChunksPerSecond = 20;

const viewDistance = rule({
  code: "chunks_view_distance",
  area: "chunks",
  setting: serverProperties("view-distance"),
  unit: "chunks",
  retest: "exploration_chunk_generation",
  impact: "medium",
  risk: "low",
  side_effect: "players_see_less_far",
  source: sources.minecraftOptimization,
  evaluate(payload) {
    const current = numberSetting(payload, "view_distance");
    return judge({
      current,
      suggested: 7,
      because: below(scoreOf(payload, "exploration_chunk_generation"), weakScore),
      settled: isAtMost(current, 7),
    });
  },
});

const simulationDistance = rule({
  code: "chunks_simulation_distance",
  area: "chunks",
  setting: serverProperties("simulation-distance"),
  unit: "chunks",
  retest: "entities_ai",
  impact: "high",
  risk: "medium",
  side_effect: "distant_farms_stand_still",
  source: sources.minecraftOptimization,
  evaluate(payload) {
    const current = numberSetting(payload, "simulation_distance");
    const overBudget = judge({
      current,
      suggested: 4,
      because: atLeast(msptAvg(payload), tickBudgetMs),
      settled: isAtMost(current, 4),
    });
    if (overBudget !== "quiet") return overBudget;
    const because = atLeast(msptAvg(payload), busyMspt);
    return judge({ current, suggested: 6, because, settled: isAtMost(current, 6) });
  },
});

const pregenerate = rule({
  code: "chunks_pregenerate",
  area: "chunks",
  setting: { kind: "action", file: null, key: "pregenerate_world" },
  unit: null,
  retest: "exploration_chunk_generation",
  impact: "medium",
  risk: "none",
  side_effect: "more_disk_space_used",
  source: sources.minecraftOptimization,
  evaluate: (payload) =>
    judge({
      current: null,
      suggested: "pregenerate_inside_a_world_border",
      because: below(chunksPerSecond(payload), slowChunksPerSecond),
    }),
});

const preventUnloadedMoves = rule({
  code: "chunks_prevent_unloaded_moves",
  area: "chunks",
  setting: paperWorldDefaults("chunks.prevent-moving-into-unloaded-chunks"),
  unit: null,
  retest: "exploration_chunk_generation",
  impact: "medium",
  risk: "low",
  side_effect: "players_wait_at_unloaded_chunks",
  source: sources.paperWorld,
  knownTo: "paper",
  evaluate: (payload) =>
    judge({
      current: false,
      suggested: true,
      because: below(tpsMin(payload), tpsFloor),
      settled: isSetTo(payload, "prevent_moving_into_unloaded_chunks", true),
      needs: [
        anyOf(
          above(slowerP99(payload), tickBudgetMs),
          below(scoreOf(payload, "exploration_chunk_generation"), weakScore),
        ).holds,
      ],
    }),
});

export const chunksRules: readonly TuningRule[] = [
  viewDistance,
  simulationDistance,
  pregenerate,
  preventUnloadedMoves,
];
