import { availableParallelism } from "node:os";
import { readLimits } from "../../linux/cgroup.ts";
import { procPath, readOrNull, thisMachine, type MachineRoot } from "../../linux/proc.ts";

/** The processors of the mask in `/proc/PID/status`; null if there is none. */
export function parseAllowed(status: string): number | null {
  const [, mask] = /^Cpus_allowed:\s+([0-9a-f,]{1,2000})$/m.exec(status) ?? [];
  if (mask === undefined) return null;
  const bits = [...mask.replaceAll(",", "")].reduce(
    (sum, digit) => sum + bitsOf(Number.parseInt(digit, 16)),
    0,
  );
  return bits > 0 ? bits : null;
}

/** The numbers in the list of `/proc/PID/status`, such as `0-3,8`; null if there is none. */
export function parseAllowedList(status: string): ReadonlySet<number> | null {
  const [, list] = /^Cpus_allowed_list:\s+([\d,-]{1,2000})$/m.exec(status) ?? [];
  if (list === undefined) return null;
  const numbers = list.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  });
  return new Set(numbers);
}

const bitsOf = (value: number): number => [1, 2, 4, 8].filter((bit) => (value & bit) !== 0).length;

export interface Processors {
  /** As a JVM counts: the processors in this process's mask, or the quota rounded up if that is less. */
  readonly available: number;
  /** Processors in the mask of this process. */
  readonly allowed: number;
  /** Null without a quota. */
  readonly quotaCores: number | null;
}

/** Processors that this process, or a JVM beside it, may use at once. */
export async function readProcessors(
  root: MachineRoot = thisMachine,
  pid = process.pid,
): Promise<Processors> {
  const [status, limits] = await Promise.all([
    readOrNull(procPath(root, pid, "status")),
    readLimits(root, pid),
  ]);
  const allowed = parseAllowed(status ?? "") ?? availableParallelism();
  const quota = limits.cpuCores === null ? allowed : Math.max(1, Math.ceil(limits.cpuCores));
  return { available: Math.min(allowed, quota), allowed, quotaCores: limits.cpuCores };
}
