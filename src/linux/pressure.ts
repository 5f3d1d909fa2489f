import { join } from "node:path";
import { headOrNull, type MachineRoot } from "./proc.ts";

const headBytes = 512;

/**
 * For how long at least one task had no processor though it had work, since boot, ms: the line `some` of
 * `/proc/pressure/cpu`. Null if the kernel does not count it.
 */
export async function cpuStallMs(root: MachineRoot): Promise<number | null> {
  const text = await headOrNull(join(root, "proc", "pressure", "cpu"), headBytes);
  const [, total] = /^some .*\btotal=(\d{1,18})$/m.exec(text ?? "") ?? [];
  return total === undefined ? null : Number(total) / 1000;
}
