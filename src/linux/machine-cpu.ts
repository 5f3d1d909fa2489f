import { join } from "node:path";
import { wholeNumber, headOrNull, type MachineRoot } from "./proc.ts";

/** CPU time of the whole machine since boot, in clock ticks summed over its processors. */
export interface MachineCpu {
  readonly totalTicks: number;
  readonly idleTicks: number;
  /** Time in which the host ran another guest while this one had work. */
  readonly stealTicks: number;
  /** Online processors. */
  readonly cores: number;
}

/** The CPU lines come first; on a machine of 1,024 processors they are 100 KB, bytes. */
const cpuLines = 256 * 1024;

/** Reads the lines `cpu…` of `/proc/stat`; null if there are none. */
export function parseMachineCpu(text: string): MachineCpu | null {
  const lines = text.split("\n").filter((line) => line.startsWith("cpu"));
  const [all = "", ...each] = lines;
  const ticks = all.trim().split(/\s+/).slice(1, 9).map(wholeNumber);
  // user, nice, system, idle, iowait, irq, softirq, steal; the guests after them are part of user and nice.
  if (ticks.length < 4 || ticks.includes(null)) return null;
  const values = ticks.map((value) => value ?? 0);
  const [, , , idle = 0, iowait = 0, , , steal = 0] = values;
  return {
    totalTicks: values.reduce((sum, value) => sum + value, 0),
    idleTicks: idle + iowait,
    stealTicks: steal,
    cores: each.length,
  };
}

/** CPU time of programs since boot, clock ticks: without interrupts, and without what the host took. */
export interface ProgramTicks {
  readonly userTicks: number;
  readonly kernelTicks: number;
}

/** Of these processors, by their numbers; null: of all. Null if `/proc/stat` does not tell. */
export function parseProgramTicks(text: string, processors: ReadonlySet<number> | null): ProgramTicks | null {
  const lines = text.split("\n").flatMap((line) => {
    const [name = "", ...values] = line.split(/\s+/, 4);
    const number = name === "cpu" ? null : wholeNumber(name.slice("cpu".length));
    const isChosen = processors === null ? name === "cpu" : number !== null && processors.has(number);
    return name.startsWith("cpu") && isChosen ? [values.map(wholeNumber)] : [];
  });
  if (lines.length === 0 || lines.some((values) => values.length < 3 || values.includes(null))) return null;
  const sumOf = (at: number): number => lines.reduce((sum, values) => sum + (values[at] ?? 0), 0);
  return { userTicks: sumOf(0) + sumOf(1), kernelTicks: sumOf(2) };
}

export async function readProgramTicks(
  root: MachineRoot,
  processors: ReadonlySet<number> | null,
): Promise<ProgramTicks | null> {
  return parseProgramTicks((await headOrNull(join(root, "proc", "stat"), cpuLines)) ?? "", processors);
}

export async function readMachine(root: MachineRoot): Promise<MachineCpu> {
  const text = await headOrNull(join(root, "proc", "stat"), cpuLines);
  const machine = text === null ? null : parseMachineCpu(text);
  if (machine === null) throw new Error("The machine's CPU time cannot be read from /proc/stat.");
  return machine;
}

/** `part` as % of `whole`, with two decimals; null if `whole` is 0 or time ran backwards. */
export function cpuShare(part: number, whole: number): number | null {
  if (!(whole > 0) || part < 0) return null;
  return Math.min(Math.round((part / whole) * 10_000) / 100, 100);
}
