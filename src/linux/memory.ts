import { join } from "node:path";
import { eachGroup, groupFolders, memoryLimit, memoryUse } from "./cgroup.ts";
import { headOrNull, procPath, readProcStatus, wholeNumber, type MachineRoot } from "./proc.ts";

export interface MachineMemory {
  readonly totalBytes: number;
  /** What new work can have without swapping, by the kernel's own estimate; null if it gives none. */
  readonly availableBytes: number | null;
}

/** The needed lines are among the first. */
const headBytes = 4096;

/** Reads `/proc/meminfo`; null if it is absent. */
export async function readMachineMemory(root: MachineRoot): Promise<MachineMemory | null> {
  const text = await headOrNull(join(root, "proc", "meminfo"), headBytes);
  const kbOf = (name: string): number | null =>
    wholeNumber(new RegExp(`^${name}: +(\\d{1,15}) kB`, "m").exec(text ?? "")?.[1]);
  const [total, available] = [kbOf("MemTotal"), kbOf("MemAvailable")];
  if (total === null) return null;
  return { totalBytes: total * 1024, availableBytes: available === null ? null : available * 1024 };
}

/**
 * What the control groups of a process leave to it, bytes: the least of limit minus use. Null without a limit.
 */
export async function memoryRoom(root: MachineRoot, pid: number): Promise<number | null> {
  const rooms = await eachGroup(await groupFolders(root, pid, "memory"), async (folder, isUnified) => {
    const limit = await memoryLimit(folder, isUnified);
    return limit && Math.max(0, limit.bytes - ((await memoryUse(folder, isUnified)) ?? 0));
  });
  return rooms.length === 0 ? null : Math.min(...rooms);
}

/** More than this part of the group's use, and the resident memory of a process is looked at more closely. */
const differs = 0.1;

/**
 * Memory of a process, KB; null if it is not known. The kernel counts a page as often as it is mapped in
 * `VmRSS`: the heap of the first generation of ZGC three times. What the process' control group uses shows
 * that, and then the slower count of `smaps_rollup` is taken, which counts each page once.
 */
export async function residentKb(root: MachineRoot, pid: number): Promise<number | null> {
  const mapped = (await readProcStatus(root, pid))?.rssKb ?? null;
  if (mapped === null) return null;
  const groups = await groupFolders(root, pid, "memory");
  const own = groups?.folders[0];
  const used = groups && own !== undefined ? await memoryUse(own, groups.isUnified) : null;
  const usedKb = used === null ? null : used / 1024;
  if (usedKb !== null && Math.abs(mapped - usedKb) <= differs * usedKb) return mapped;
  const rollup = await headOrNull(procPath(root, pid, "smaps_rollup"), headBytes);
  const proportional = wholeNumber(/^Pss: +(\d{1,15}) kB/m.exec(rollup ?? "")?.[1]);
  if (proportional !== null) return proportional;
  // More than the whole group has is wrong, and how much of it is wrong is not known.
  return usedKb !== null && mapped > usedKb ? null : mapped;
}
