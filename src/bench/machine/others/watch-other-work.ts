import { othersDisturbFrom } from "../../../core/report/conditions.ts";
import { cpuStallMs } from "../../../linux/pressure.ts";
import { readProgramTicks, type ProgramTicks } from "../../../linux/machine-cpu.ts";
import { procPath, readOrNull, ticksPerSecond, type MachineRoot } from "../../../linux/proc.ts";
import type { OtherWork, OtherWorkWatch } from "../../other-work.ts";
import { parseAllowedList, readProcessors } from "../processors.ts";
import {
  OtherPrograms,
  readProcessTimes,
  withDescendants,
  type ProcessTimes,
  type ProgramShare,
} from "./process-times.ts";

interface Count {
  /** By the clock of this process, ms. */
  readonly atMs: number;
  /** Of the whole machine; null: the kernel does not tell. */
  readonly machine: ProgramTicks | null;
  /** Of the run and of all that it started, also of what has ended. */
  readonly own: ProgramTicks;
  readonly stallMs: number | null;
}

/**
 * The clocks of the machine and of its processes differ by less than this share: the kernel looks which
 * program runs 100 times a second, but times processes exactly.
 */
const clockError = 0.005;

function otherPercent(seconds: number, machine: number, own: number): number | null {
  // Where programs worked and the machine's clock stood, as in some sandboxes, it counts nothing.
  if (seconds <= 0 || (machine === 0 && own > 0)) return null;
  return Math.max(0, (100 * (machine - own * (1 + clockError))) / ticksPerSecond / seconds);
}

export function otherWorkBetween(before: Count, after: Count): OtherWork {
  const seconds = (after.atMs - before.atMs) / 1000;
  const stall = before.stallMs === null || after.stallMs === null ? null : after.stallMs - before.stallMs;
  const stallPercent = stall === null || seconds <= 0 ? null : Math.min(100, stall / seconds / 10);
  if (before.machine === null || after.machine === null)
    return { cpuPercent: null, userPercent: null, stallPercent };
  const user = after.machine.userTicks - before.machine.userTicks;
  const ownUser = after.own.userTicks - before.own.userTicks;
  const all = user + after.machine.kernelTicks - before.machine.kernelTicks;
  const ownAll = ownUser + after.own.kernelTicks - before.own.kernelTicks;
  return {
    cpuPercent: otherPercent(seconds, all, ownAll),
    userPercent: otherPercent(seconds, user, ownUser),
    stallPercent,
  };
}

function ownTicks(processes: readonly ProcessTimes[], own: ReadonlySet<number>): ProgramTicks {
  const members = processes.filter(({ pid }) => own.has(pid));
  const sumOf = (ticksOf: (each: ProcessTimes) => number): number =>
    members.reduce((sum, each) => sum + ticksOf(each), 0);
  const userTicks = sumOf((each) => each.userTicks + each.reapedUserTicks);
  return { userTicks, kernelTicks: sumOf((each) => each.cpuTicks + each.reapedTicks) - userTicks };
}

/** The programs named to people. */
const mostNamed = 3;

interface ProgramWatch extends OtherWorkWatch {
  end(): Promise<{ readonly work: OtherWork; readonly busiest: readonly ProgramShare[] }>;
}

/**
 * Counts on the processors that this process may use. A quota that leaves the run fewer than that leaves the
 * rest to others: they may use it, and 10 % of a core more.
 */
export async function watchOtherWork(root: MachineRoot, pid: number): Promise<ProgramWatch> {
  const allowed = parseAllowedList((await readOrNull(procPath(root, pid, "status"))) ?? "");
  const { allowed: mask, quotaCores } = await readProcessors(root, pid);
  const programs = new OtherPrograms();
  const count = async (): Promise<Count> => {
    const [machine, stallMs] = await Promise.all([readProgramTicks(root, allowed), cpuStallMs(root)]);
    const atMs = performance.now();
    const processes = await readProcessTimes(root);
    const own = withDescendants(processes, pid);
    programs.look(processes, own);
    return { atMs, machine, own: ownTicks(processes, own), stallMs };
  };
  const first = await count();
  return {
    limitPercent: othersDisturbFrom + 100 * Math.max(0, mask - (quotaCores ?? mask)),
    begin: async () => {
      const before = await count();
      return async () => otherWorkBetween(before, await count());
    },
    end: async () => {
      const last = await count();
      const elapsedTicks = ((last.atMs - first.atMs) / 1000) * ticksPerSecond;
      return { work: otherWorkBetween(first, last), busiest: programs.busiest(mostNamed, elapsedTicks) };
    },
  };
}
