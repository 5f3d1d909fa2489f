import { join } from "node:path";
import { eachGroup, groupFolders, groupFile, memoryLimit } from "./cgroup.ts";
import { headOrNull, wholeNumber, type MachineRoot } from "./proc.ts";

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
 * What the control groups of a process leave to it, bytes: the least of limit minus use. Inactive file cache
 * does not count as use, because the kernel frees it first. Null without a limit.
 */
export async function memoryRoom(root: MachineRoot, pid: number): Promise<number | null> {
  const rooms = await eachGroup(await groupFolders(root, pid, "memory"), async (folder, isUnified) => {
    const limit = await memoryLimit(folder, isUnified);
    if (limit === null) return null;
    const used = wholeNumber(await groupFile(folder, isUnified ? "memory.current" : "memory.usage_in_bytes"));
    const name = isUnified ? "inactive_file" : "total_inactive_file";
    const stat = await groupFile(folder, "memory.stat");
    const cached = wholeNumber(
      stat
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1),
    );
    return Math.max(0, limit - Math.max(0, (used ?? 0) - (cached ?? 0)));
  });
  return rooms.length === 0 ? null : Math.min(...rooms);
}
