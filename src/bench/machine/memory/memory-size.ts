import { readFileSync } from "node:fs";
import { HostRefusal, type HostLimitFound } from "../host-refusal.ts";
import { memoryOf } from "../kernels.ts";
import { nullIfClosed } from "../../../core/failure-code.ts";

const mib = 1024 ** 2;

export interface GivenMemory {
  readonly memory: WebAssembly.Memory;
  readonly bytes: number;
  /** What kept it smaller than wanted. */
  readonly limit: HostLimitFound | null;
}

/** Memory of `wanted` bytes, or of as much as may be used and can be had; at least `least`. */
export function takeMemory(wanted: number, allowed: number, least: number): GivenMemory {
  for (let bytes = Math.min(wanted, Math.floor(allowed / mib) * mib); bytes >= least;) {
    const memory = memoryOf(bytes);
    if (memory !== null) return { memory, bytes, limit: limitOf(bytes, wanted) };
    bytes = Math.floor(bytes / 2 / mib) * mib;
  }
  throw new HostRefusal("memory_budget_refused", limitOf(Math.floor(allowed / mib) * mib, wanted));
}

const limitOf = (bytes: number, wanted: number): HostLimitFound | null =>
  bytes < wanted ? { setting: "memory", limit: bytes / mib, needed: wanted / mib, unit: "MB" } : null;

/** This process' memory in huge pages, bytes; null where the kernel does not say. */
export function hugePageBytes(): number | null {
  try {
    const [, kb] = /^AnonHugePages: +(\d+) kB/m.exec(readFileSync("/proc/self/smaps_rollup", "utf8")) ?? [];
    return kb === undefined ? null : Number(kb) * 1024;
  } catch (error) {
    return nullIfClosed(error);
  }
}

/** Which share of memory lies in huge pages, percent; they make random access faster. */
export function hugePagePercent(before: number | null, bytes: number): number | null {
  const now = hugePageBytes();
  if (now === null || before === null) return null;
  return Math.round((100 * Math.min(Math.max(now - before, 0), bytes)) / bytes);
}
