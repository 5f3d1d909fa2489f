import type { MetricKey } from "../compare.ts";
import type { Retest } from "./recommendation.ts";

const metrics = {
  cpu_single_core: "single_core",
  cpu_multi_core: "multi_core",
  // Not scored itself: a heap's size changes the collector's pauses, which only the total includes.
  memory_stress: "total",
  disk_random_4k: "disk",
  exploration_chunk_generation: "exploration",
  entities_ai: "entities",
  entities_items: "entities",
  mechanics_redstone: "mechanics",
  mechanics_hopper: "mechanics",
} as const satisfies Record<string, MetricKey>;

export type RetestId = keyof typeof metrics;

export const retestOf = (testId: RetestId): Retest => ({ test_id: testId, metric: metrics[testId] });
