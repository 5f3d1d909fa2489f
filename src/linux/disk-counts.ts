import { join } from "node:path";
import { headOrNull, wholeNumber, type MachineRoot } from "./proc.ts";

/** What a disk did since the machine started. */
export interface DiskCounts {
  /** Reads and writes that it completed. */
  readonly operations: number;
  readonly bytes: number;
}

/** A machine with hundreds of disks has 100 KB of them. */
const mostBytes = 1024 * 1024;

/** `/proc/diskstats` counts in sectors of this size, whatever the disk's are. */
const sectorBytes = 512;

/** The disk's line of `/proc/diskstats`; null if there is none. */
export function parseDiskCounts(text: string, disk: string): DiskCounts | null {
  const fields = text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(([, , name]) => name === disk);
  // After number and name: reads, merged, sectors, ms, and the same four of writes.
  const [reads, sectorsRead, writes, sectorsWritten] = [3, 5, 7, 9].map((at) => wholeNumber(fields?.[at]));
  if (reads == null || sectorsRead == null || writes == null || sectorsWritten == null) return null;
  return { operations: reads + writes, bytes: (sectorsRead + sectorsWritten) * sectorBytes };
}

export const readDiskCounts = async (root: MachineRoot, disk: string): Promise<DiskCounts | null> =>
  parseDiskCounts((await headOrNull(join(root, "proc", "diskstats"), mostBytes)) ?? "", disk);
