import { freemem } from "node:os";
import { memoryRoom, readMachineMemory } from "../../linux/memory.ts";
import { procPath, readOrNull, thisMachine, wholeNumber, type MachineRoot } from "../../linux/proc.ts";
import { parseProcessLimits } from "../../linux/process-limits.ts";

/** Of the memory that is free the other half stays free: a game server may run beside this. */
const share = 0.5;

/**
 * Memory that a test may use, bytes: half of the least of what the machine, the control groups and the limits of this
 * process leave. A test's process takes about as much address space for itself as this one.
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
