import { join } from "node:path";
import { z } from "zod";
import { groupFolders } from "../../linux/cgroup.ts";
import { readOrNull, wholeNumber, type MachineRoot } from "../../linux/proc.ts";

/** How many processes the kernel has killed for lack of memory, as one of its files counts them. */
export const KillCount = z.object({ file: z.string(), kills: z.int() });
export type KillCount = z.output<typeof KillCount>;

/** The counts of the groups around a process, innermost first, and of the whole machine. */
export async function countKills(root: MachineRoot, pid: number): Promise<KillCount[]> {
  const groups = await groupFolders(root, pid, "memory");
  const file = groups?.isUnified ? "memory.events" : "memory.oom_control";
  const files = (groups?.folders ?? []).map((folder) => join(folder, file));
  const counted: KillCount[] = [];
  for (const path of [...files, join(root, "proc", "vmstat")]) {
    const kills = await killsIn(path);
    if (kills !== null) counted.push({ file: path, kills });
  }
  return counted;
}

/** The first count that is still there decides: an outer group has the processes of others too. */
export async function hasKilled(before: readonly KillCount[]): Promise<boolean> {
  for (const { file, kills } of before) {
    const now = await killsIn(file);
    if (now !== null) return now > kills;
  }
  return false;
}

async function killsIn(file: string): Promise<number | null> {
  const written = await readOrNull(file);
  const line = written?.split("\n").find((each) => each.startsWith("oom_kill "));
  return wholeNumber(line?.slice("oom_kill ".length).trim());
}
