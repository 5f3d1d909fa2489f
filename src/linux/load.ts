import { join } from "node:path";
import { readOrNull, type MachineRoot } from "./proc.ts";

/** Tasks that ran or waited to run or for a disk, on average of the last minute; null: not known. */
export async function readLoadAverage(root: MachineRoot): Promise<number | null> {
  const [, load] = /^(\d{1,6}\.\d{1,4}) /.exec((await readOrNull(join(root, "proc", "loadavg"))) ?? "") ?? [];
  return load === undefined ? null : Number(load);
}
