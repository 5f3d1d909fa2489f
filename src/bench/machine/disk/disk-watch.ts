import { readDiskCounts, type DiskCounts } from "../../../linux/disk-counts.ts";
import { thisMachine, type MachineRoot } from "../../../linux/proc.ts";
import { onlyDiskOf } from "../disk-type.ts";

/** What the disk of a folder did in a part of a test; null: the kernel does not tell. */
export interface DiskWatch {
  /** Resolves to what the disk did since the call before, or since the start. */
  since(): Promise<DiskCounts | null>;
}

/** For direct IO on one disk: with a cache or several disks between, its counts are not those of the test. */
export async function watchDisk(folder: string, root: MachineRoot = thisMachine): Promise<DiskWatch> {
  const disk = await onlyDiskOf(folder, root);
  const look = async (): Promise<DiskCounts | null> => (disk === null ? null : readDiskCounts(root, disk));
  let before = await look();
  return {
    since: async () => {
      const [from, to] = [before, await look()];
      before = to;
      if (from === null || to === null) return null;
      return { operations: to.operations - from.operations, bytes: to.bytes - from.bytes };
    },
  };
}
