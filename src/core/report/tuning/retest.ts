import type { MetricKey } from "../compare.ts";
import type { Retest } from "./recommendation.ts";

const metrics = {
  cpu_single_core: "single_core",
  cpu_multi_core: "multi_core",
  // Not scored itself; a heap's size shows in the pauses of the collector, which only the total has.
  memory_stress: "total",
  disk_random_4k: "disk",
  exploration_chunk_generation: "exploration",
  entities_ai: "entities",
  entities_items: "entities",
  mechanics_redstone: "mechanics",
  mechanics_hopper: "mechanics",
} as const satisfies Record<string, MetricKey>;

export type RetestId = keyof typeof metrics;

/** The test to run again after a change, and the score it moves. */
export const retestOf = (testId: RetestId): Retest => ({ test_id: testId, metric: metrics[testId] });
