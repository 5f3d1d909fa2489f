import { othersDisturbFrom, slowedFrom } from "../conditions.ts";
import { assumed } from "../reference.ts";
import type { DiagnosisCode } from "./finding.ts";

/** Adding, removing or changing a rule makes a new version. */
export const diagnosisVersion = "1";

/** Fewest ticks a run is judged by: 30 s at 20 ticks a second. */
export const leastTicks = 600;

// One tick at 20 ticks a second (spark, docs/guides/tick-loop).
const tickBudgetMs = 50;
// Above this a virtual machine runs slower than it should (Scout, "Understanding CPU Steal Time").
const takenPercent = 10;

/** The unit is the last word of each name. */
export const thresholds = {
  cpu_quota: {
    // The documentation says "far fewer": half of the cores, and at least two fewer.
    visiblePercent: 50,
    hiddenCores: 2,
    criticalProcessors: 1,
    // Paper has a single chunk worker up to three cores (paper-global, worker-threads).
    warningProcessors: 3,
    criticalThrottledPercent: 25,
    warningThrottledPercent: 5,
  },
  // Players notice four ticks (Aikar's flags, MaxGCPauseMillis).
  disk_latency_high: { tickBudgetMs, criticalMs: 200 },
  host_constrained: {},
  // Beyond 80 % G1 has no room left to move objects to (Aikar's flags, G1ReservePercent 20; 10 by default).
  jvm_heap_saturated: { warningPercent: 80, criticalPercent: 90 },
  measurement_unreliable: {
    warningPercent: 95,
    criticalPercent: 50,
    othersPercent: othersDisturbFrom,
    slowedPercent: slowedFrom,
  },
  memory_latency_unmeasured: { assumedNs: assumed.latencyNs },
  random_4k_unmeasured: { assumedIops: assumed.readIops, assumedMs: assumed.readP99Ms },
  // Paper loads up to 100 chunks a second for each player: these are ten players and two.
  random_read_starved: { warningIops: 1000, criticalIops: 200 },
  single_core_saturated: {
    tickBudgetMs,
    // 80 % of the budget, where spark turns yellow.
    nearMs: 40,
    throttledPercent: takenPercent,
    stealPercent: takenPercent,
    gcPercent: 10,
  },
  test_failed: {},
  tick_spikes: {
    // spark/docs, guides/finding-lag-spikes: 50 to 100 ms.
    spikeMs: 100,
    meanTimes: 4,
    criticalMs: 1000,
    criticalP99Ms: 100,
    infoP99Ms: tickBudgetMs,
  },
  tick_spikes_from_gc: { pausePercent: 50 },
  tick_spikes_off_cpu: {
    idlePausePercent: 10,
    idleGcPercent: 1,
    cpuPercent: 50,
    stealPercent: takenPercent,
    throttledPercent: takenPercent,
    diskMs: tickBudgetMs,
  },
  // spark: green above 90 % of 20 ticks a second, red from 80 % down.
  tps_floor: { healthyTps: 18, floorTps: 16, criticalTps: 10 },
} as const satisfies Record<DiagnosisCode, Record<string, number>>;
