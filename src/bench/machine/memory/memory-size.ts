import { readFileSync } from "node:fs";
import { HostRefusal, type HostLimitFound } from "../host-refusal.ts";
import { memoryOf } from "../kernels.ts";
import { nullIfClosed } from "../../../core/failure-code.ts";

const mib = 1024 ** 2;

export interface GivenMemory {
  readonly memory: WebAssembly.Memory;
  readonly bytes: number;
  /** Null if the memory is as large as wanted. */
  readonly limit: HostLimitFound | null;
}

/** Takes `wanted` bytes, or as many as are allowed and free. Throws below `least`. */
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

/** Of this process; null if the kernel does not tell. */
export function hugePageBytes(): number | null {
  try {
    const [, kb] = /^AnonHugePages: +(\d+) kB/m.exec(readFileSync("/proc/self/smaps_rollup", "utf8")) ?? [];
    return kb === undefined ? null : Number(kb) * 1024;
  } catch (error) {
    return nullIfClosed(error);
  }
}

/** Percent of the memory in huge pages, which make random access faster; null if unknown. */
export function hugePagePercent(before: number | null, bytes: number): number | null {
  const now = hugePageBytes();
  if (now === null || before === null) return null;
  return Math.round((100 * Math.min(Math.max(now - before, 0), bytes)) / bytes);
}
