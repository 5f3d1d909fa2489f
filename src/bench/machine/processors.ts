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

const bitsOf = (value: number): number => [1, 2, 4, 8].filter((bit) => (value & bit) !== 0).length;

export interface Processors {
  /** As a JVM counts: the processors in this process's mask, or the quota rounded up if that is less. */
  readonly available: number;
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
  return { available: Math.min(allowed, quota), quotaCores: limits.cpuCores };
}
