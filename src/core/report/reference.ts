/** Any change in this file makes a new version. */
export const algorithmVersion = "1";

/**
 * The host that scores 1000 in every part: a made-up mid-range host of 2026 with eight cores and an NVMe
 * disk. Memory and disk follow baseline v0.1 of the loadbearer benchmark (github.com/issinoho/loadbearer,
 * wiki "The Baseline").
 */
export const reference = {
  singleCoreOpsPerSecond: 1_000_000,
  multiCoreOpsPerSecond: 6_000_000,
  memoryReadGbS: 22,
  memoryWriteGbS: 16,
  memoryCopyGbS: 14,
  memoryLatencyNs: 95,
  diskReadMbS: 3000,
  diskWriteMbS: 1500,
  diskReadIops: 15_000,
  diskReadP99Ms: 0.25,
} as const;

/** Worse than any working memory or SSD, so that a host never gains by withholding a measurement. */
export const assumed = { latencyNs: 200, readIops: 500, readP99Ms: 20 } as const;

interface LoadReference {
  /** The metric a `standard` run is scored by, and its value on the reference host. */
  readonly metric: string;
  readonly standard: number;
  /** The last load that passed on the reference host in a `stresslimit` run. */
  readonly stress: number;
}

/** Tests that put game load on the server: chunks/s, entity ticks/ms, updates/ms and transfers/ms. */
export const loadReference = {
  // 40 players exploring
  exploration_chunk_generation: { metric: "chunks_per_second", standard: 40, stress: 40 },
  // entities
  entities_ai: { metric: "entity_ticks_per_ms", standard: 60, stress: 2500 },
  // items
  entities_items: { metric: "entity_ticks_per_ms", standard: 400, stress: 12_000 },
  // redstone lines
  mechanics_redstone: { metric: "updates_per_ms", standard: 900, stress: 1500 },
  // hoppers
  mechanics_hopper: { metric: "transfers_per_ms", standard: 250, stress: 6000 },
} as const satisfies Record<string, LoadReference>;

export type LoadTestId = keyof typeof loadReference;
