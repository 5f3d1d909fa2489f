import { both, config, metrics, mspt, run, type Change, type Scenario } from "./change.ts";

const weakAi = metrics("entities_ai", { entity_ticks_per_ms: 35.9 });
const fairAi = metrics("entities_ai", { entity_ticks_per_ms: 36 });
const noAi: Change = { tests: { entities_ai: null } };
const weakExploration = metrics("exploration_chunk_generation", { chunks_per_second: 23.9 });
const fairExploration = metrics("exploration_chunk_generation", { chunks_per_second: 24 });
const noExploration: Change = { tests: { exploration_chunk_generation: null } };
const weakHopper = metrics("mechanics_hopper", { transfers_per_ms: 149 });
const fairHopper = metrics("mechanics_hopper", { transfers_per_ms: 150 });
const busy = mspt({ avg: 40, p50: 38, p95: 45, p99: 50, max: 60 });
const score = (testId: string, value: number) => ({
  metric: `${testId}.score`,
  value,
  unit: "score",
  comparator: "below",
  threshold: 600,
});

/** Scenarios of chunks, entities and mechanics. */
export const gameScenarios = {
  chunks_view_distance: {
    fires: both(config({ view_distance: 8 }), weakExploration),
    says: { current: 8, suggested: 7, trigger: score("exploration_chunk_generation", 598) },
    quiet: [fairExploration],
    unknown: [noExploration, config({ view_distance: null }), config({ view_distance: "default" })],
    followed: config({ view_distance: 7 }),
  },
  chunks_simulation_distance: {
    fires: both(config({ simulation_distance: 7 }), busy),
    says: {
      current: 7,
      suggested: 6,
      trigger: { metric: "mspt_avg", value: 40, unit: "ms", comparator: "at_least", threshold: 40 },
    },
    quiet: [mspt({ avg: 39.9 })],
    unknown: [mspt({ avg: null }), config({ simulation_distance: null })],
    followed: config({ simulation_distance: 6 }),
  },
  chunks_pregenerate: {
    fires: metrics("exploration_chunk_generation", { chunks_per_second: 19.9 }),
    says: {
      current: null,
      suggested: "pregenerate_inside_a_world_border",
      trigger: {
        metric: "exploration_chunk_generation.chunks_per_second",
        value: 19.9,
        unit: "chunks_per_second",
        comparator: "below",
        threshold: 20,
      },
    },
    quiet: [metrics("exploration_chunk_generation", { chunks_per_second: 20 })],
    unknown: [metrics("exploration_chunk_generation", { chunks_per_second: null }), noExploration],
    followed: null,
  },
  chunks_prevent_unloaded_moves: {
    fires: both(
      run({ config: { prevent_moving_into_unloaded_chunks: false }, ticks: { tps: { min: 15.9 } } }),
      weakExploration,
    ),
    says: {
      current: false,
      suggested: true,
      trigger: { metric: "tps_min", value: 15.9, unit: "tps", comparator: "below", threshold: 16 },
    },
    quiet: [run({ ticks: { tps: { min: 16 } } }), fairExploration],
    unknown: [
      run({ ticks: { tps: { min: null } } }),
      config({ prevent_moving_into_unloaded_chunks: null }),
      noExploration,
    ],
    followed: config({ prevent_moving_into_unloaded_chunks: true }),
  },
  entities_activation_range: {
    fires: both(config({ activation_range_monsters: 25 }), weakAi),
    says: { current: 25, suggested: 24, trigger: score("entities_ai", 598) },
    quiet: [fairAi],
    unknown: [noAi, config({ activation_range_monsters: null })],
    followed: config({ activation_range_monsters: 24 }),
  },
  entities_spawn_limit: {
    fires: both(both(config({ spawn_limit_monsters: 21 }), weakAi), busy),
    says: { current: 21, suggested: 20, trigger: score("entities_ai", 598) },
    quiet: [fairAi, mspt({ avg: 39.9 })],
    unknown: [noAi, mspt({ avg: null }), config({ spawn_limit_monsters: null })],
    followed: config({ spawn_limit_monsters: 20 }),
  },
  entities_collisions: {
    fires: both(config({ max_entity_collisions: 3 }), weakAi),
    says: { current: 3, suggested: 2, trigger: score("entities_ai", 598) },
    quiet: [fairAi, config({ max_entity_collisions: 0 })],
    unknown: [noAi, config({ max_entity_collisions: null })],
    followed: config({ max_entity_collisions: 2 }),
  },
  entities_inactive_villagers: {
    fires: both(config({ tick_inactive_villagers: true }), weakAi),
    says: { current: true, suggested: false, trigger: score("entities_ai", 598) },
    quiet: [fairAi],
    unknown: [noAi, config({ tick_inactive_villagers: null })],
    followed: config({ tick_inactive_villagers: false }),
  },
  entities_item_merge: {
    fires: both(config({ merge_radius_item: 3.4 }), metrics("entities_items", { entity_ticks_per_ms: 239 })),
    says: { current: 3.4, suggested: 3.5, trigger: score("entities_items", 598) },
    quiet: [metrics("entities_items", { entity_ticks_per_ms: 240 }), config({ merge_radius_item: 4 })],
    unknown: [{ tests: { entities_items: null } }, config({ merge_radius_item: null })],
    followed: config({ merge_radius_item: 3.5 }),
  },
  mechanics_redstone_impl: {
    fires: both(
      config({ redstone_implementation: "VANILLA" }),
      metrics("mechanics_redstone", { updates_per_ms: 539 }),
    ),
    says: { current: "VANILLA", suggested: "ALTERNATE_CURRENT", trigger: score("mechanics_redstone", 599) },
    quiet: [
      metrics("mechanics_redstone", { updates_per_ms: 540 }),
      config({ redstone_implementation: "EIGENCRAFT" }),
    ],
    unknown: [{ tests: { mechanics_redstone: null } }, config({ redstone_implementation: null })],
    followed: config({ redstone_implementation: "ALTERNATE_CURRENT" }),
  },
  mechanics_hopper_occluding: {
    fires: both(config({ hopper_ignore_occluding_blocks: false }), weakHopper),
    says: { current: false, suggested: true, trigger: score("mechanics_hopper", 596) },
    quiet: [fairHopper],
    unknown: [{ tests: { mechanics_hopper: null } }, config({ hopper_ignore_occluding_blocks: null })],
    followed: config({ hopper_ignore_occluding_blocks: true }),
  },
  mechanics_hopper_check: {
    fires: both(config({ hopper_check_ticks: 7 }), weakHopper),
    says: { current: 7, suggested: 8, trigger: score("mechanics_hopper", 596) },
    quiet: [fairHopper],
    unknown: [{ tests: { mechanics_hopper: null } }, config({ hopper_check_ticks: null })],
    followed: config({ hopper_check_ticks: 8 }),
  },
} satisfies Record<string, Scenario>;
