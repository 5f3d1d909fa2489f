import type { PerfCounters } from "./perf-counters.ts";

/** Kinds of collectors by what their counters mean. */
type Collector = "G1" | "Z" | "Shenandoah" | "generational";

const generations = [0, 1] as const;
const collectors = [0, 1, 2] as const;
const [young, old] = generations;
const spacesOfYoung = [0, 1, 2] as const;

const bytesPerMb = 1024 * 1024;
export const toMb = (bytes: number): number => Math.round(bytes / bytesPerMb);

function numberOf(counters: PerfCounters, name: string): number | null {
  const value = counters.get(name);
  return typeof value === "number" && value >= 0 ? value : null;
}

const nameOf = (counters: PerfCounters, index: number): string | null => {
  const value = counters.get(`sun.gc.collector.${index}.name`);
  return typeof value === "string" ? value : null;
};

export function collectorOf(counters: PerfCounters): Collector | null {
  const names = collectors.flatMap((index) => nameOf(counters, index) ?? []);
  if (names.length === 0) return null;
  if (names.some((name) => name.startsWith("G1"))) return "G1";
  if (names.some((name) => /^ZGC |^Z /.test(name))) return "Z";
  return names.some((name) => name.startsWith("Shenandoah")) ? "Shenandoah" : "generational";
}

const usedOf = (counters: PerfCounters, generation: number, space: number): number | null =>
  numberOf(counters, `sun.gc.generation.${generation}.space.${space}.used`);

/** Heap in use, bytes. Null except for G1: others update these counters only with a collection. */
export function heapUsedOf(counters: PerfCounters): number | null {
  if (collectorOf(counters) !== "G1") return null;
  const eden = usedOf(counters, young, 0);
  const rest = survivorsAndOld(counters);
  return eden === null || rest === null ? null : eden + rest;
}

/** The heap's limit, bytes. */
export function heapMaxOf(counters: PerfCounters): number | null {
  const most = (generation: number): number | null =>
    numberOf(counters, `sun.gc.generation.${generation}.maxCapacity`);
  const collector = collectorOf(counters);
  const ofOld = most(old);
  if (collector === null || ofOld === null) return null;
  // Fixed generations add up; with other collectors each may take the whole heap.
  return collector === "generational" ? ofOld + (most(young) ?? 0) : ofOld;
}

/** Heap right after the last collection, bytes; null before the first, and for ZGC and Shenandoah. */
export function liveSetOf(counters: PerfCounters): number | null {
  const collector = collectorOf(counters);
  if (collector !== "G1" && collector !== "generational") return null;
  const runs = collectors.map((index) => numberOf(counters, `sun.gc.collector.${index}.invocations`) ?? 0);
  return runs.some((count) => count > 0) ? survivorsAndOld(counters) : null;
}

function survivorsAndOld(counters: PerfCounters): number | null {
  const [, first, second] = spacesOfYoung;
  const parts = [usedOf(counters, young, first), usedOf(counters, young, second), usedOf(counters, old, 0)];
  return parts.includes(null) ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
}

/** Stop-the-world time since the JVM's start, ms; null for Shenandoah, which counts concurrent phases too. */
export function stoppedMsOf(counters: PerfCounters): number | null {
  const frequency = numberOf(counters, "sun.os.hrt.frequency");
  const collector = collectorOf(counters);
  if (!frequency || collector === null || collector === "Shenandoah") return null;
  const ticks = collectors.map((index) => numberOf(counters, `sun.gc.collector.${index}.time`) ?? 0);
  return (ticks.reduce((sum, value) => sum + value, 0) / frequency) * 1000;
}
