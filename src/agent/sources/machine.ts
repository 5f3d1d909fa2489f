import { readMachine, cpuShare, type MachineCpu } from "../../linux/machine-cpu.ts";
import { thisMachine, type MachineRoot } from "../../linux/proc.ts";
import { oneLine } from "../one-line.ts";
import type { Finding, Reading, Source } from "./source.ts";

/** CPU of the whole machine since the last reading, and its number of processors, from `/proc/stat`. */
export function machineSource(root: MachineRoot = thisMachine): Source {
  let before: MachineCpu | null = null;

  const read = async (): Promise<Reading> => {
    const now = await readMachine(root);
    const last = before;
    before = now;
    const total = last === null ? 0 : now.totalTicks - last.totalTicks;
    const idle = last === null ? 0 : now.idleTicks - last.idleTicks;
    // The kernel's count of iowait can step back; this reading then has no figure.
    const share = idle < 0 ? null : cpuShare(total - idle, total);
    return {
      measured: {
        ...(share !== null && { cpu_system: share }),
        ...(now.cores > 0 && { cpu_cores: now.cores }),
      },
    };
  };

  const check = async (): Promise<readonly Finding[]> => {
    const about = "machine";
    try {
      const { cores } = await readMachine(root);
      return [{ able: true, about, says: `CPU of ${cores} processors can be read.` }];
    } catch (error) {
      const says = `/proc/stat cannot be read (${oneLine(error)}); the machine's CPU stays unknown.`;
      return [{ able: false, about, says }];
    }
  };

  return { name: "machine", check, read, close: async () => {} };
}
