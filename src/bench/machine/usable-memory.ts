import { freemem } from "node:os";
import { memoryRoom, readMachineMemory } from "../../linux/memory.ts";
import { procPath, readOrNull, thisMachine, wholeNumber, type MachineRoot } from "../../linux/proc.ts";
import { parseProcessLimits } from "../../linux/process-limits.ts";

/** The other half stays free, because a game server may run beside the test. */
const share = 0.5;

/**
 * Bytes: half of the least that the machine, the control groups and this process's limits leave. A test's
 * process needs about as much address space for itself as this process.
 */
export async function usableMemory(root: MachineRoot = thisMachine, pid = process.pid): Promise<number> {
  const [machine, room, limits, statm] = await Promise.all([
    readMachineMemory(root),
    memoryRoom(root, pid),
    readOrNull(procPath(root, pid, "limits")),
    readOrNull(procPath(root, pid, "status")),
  ]);
  const { addressBytes, dataBytes } = parseProcessLimits(limits ?? "");
  const kbOf = (name: string): number =>
    wholeNumber(new RegExp(`^${name}:\\s+(\\d{1,15}) kB`, "m").exec(statm ?? "")?.[1]) ?? 0;
  const bounds = [
    machine?.availableBytes ?? freemem(),
    room,
    addressBytes === null ? null : addressBytes - kbOf("VmSize") * 1024,
    dataBytes === null ? null : dataBytes - kbOf("VmData") * 1024,
  ].flatMap((bound) => bound ?? []);
  return Math.max(0, Math.floor(share * Math.min(...bounds)));
}
