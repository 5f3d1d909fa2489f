import { open, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { failureCode, nullIfClosed } from "../core/failure-code.ts";
import type { Instant } from "../core/time.ts";

/** `/`, or the root of a recorded tree. */
export type MachineRoot = string;
export const thisMachine: MachineRoot = "/";

/** Clock ticks a second in /proc: 100 on every Linux that a JVM runs on. */
export const ticksPerSecond = 100;

export const procPath = (root: MachineRoot, pid: number | "self", ...rest: string[]): string =>
  join(root, "proc", String(pid), ...rest);

/** Errors for files that the kernel does not fill here, such as counters of a driver. */
function nullIfNothing(error: unknown): null {
  return ["EINVAL", "ENODATA", "EOPNOTSUPP", "ENODEV"].includes(failureCode(error) ?? "")
    ? null
    : nullIfClosed(error);
}

/**
 * The text of a small file; null if it is absent or closed to this user. Rejects for other reasons, such as
 * no free descriptor: those say nothing about whether a process runs.
 */
export async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(nullIfNothing);
}

/** Null if the link does not exist, or this user may not read it. */
export const linkOrNull = (path: string): Promise<string | null> => readlink(path).catch(nullIfNothing);

const pieceBytes = 8 * 1024;

/** At most `limit` bytes of a file; files of /proc have no size and come a page at a time. */
export async function headOrNull(path: string, limit: number): Promise<string | null> {
  const file = await open(path).catch(nullIfNothing);
  if (file === null) return null;
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    while (length < limit) {
      const piece = Buffer.alloc(Math.min(pieceBytes, limit - length));
      const { bytesRead } = await file.read(piece, 0, piece.length);
      if (bytesRead === 0) break;
      pieces.push(piece.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(pieces).toString("utf8");
  } catch (error) {
    return nullIfNothing(error);
  } finally {
    await file.close();
  }
}

export interface ProcessStat {
  readonly name: string;
  readonly state: string;
  readonly parentPid: number;
  /** Of all its threads, in user and kernel mode, clock ticks. */
  readonly cpuTicks: number;
  /** The part of `cpuTicks` in user mode. */
  readonly userTicks: number;
  /** The same two of its children that ended and were waited for, and of their children. */
  readonly reapedTicks: number;
  readonly reapedUserTicks: number;
  readonly startTicks: number;
}

/** Reads `/proc/PID/stat`, whose name field may hold spaces and brackets. Null for other text. */
export function parseStat(text: string): ProcessStat | null {
  const [from, to] = [text.indexOf("("), text.lastIndexOf(")")];
  if (from < 0 || to < from) return null;
  const fields = text
    .slice(to + 1)
    .trim()
    .split(" ");
  // Fields 4, 14 to 17 and 22 of proc(5); the first one here is field 3.
  const [parent = 0, user = 0, kernel = 0, reapedUser = 0, reapedKernel = 0, start = 0] = [
    1, 11, 12, 13, 14, 19,
  ].map((at) => Number(fields[at]));
  if (!Number.isFinite(parent + user + kernel + reapedUser + reapedKernel + start)) return null;
  return {
    name: text.slice(from + 1, to),
    state: fields[0] ?? "",
    parentPid: parent,
    cpuTicks: user + kernel,
    userTicks: user,
    reapedTicks: reapedUser + reapedKernel,
    reapedUserTicks: reapedUser,
    startTicks: start,
  };
}

export async function readStat(root: MachineRoot, pid: number): Promise<ProcessStat | null> {
  const text = await readOrNull(procPath(root, pid, "stat"));
  return text === null ? null : parseStat(text);
}

export interface ProcessStatus {
  /** The effective user. */
  readonly uid: number | null;
  /** The pid inside its own pid namespace. */
  readonly innerPid: number | null;
  readonly rssKb: number | null;
  /** Whether it handles SIGQUIT; otherwise the signal ends it. */
  readonly catchesQuit: boolean;
}

/** Bit of SIGQUIT (3) in a signal mask. */
const quitBit = 1n << 2n;

/** Reads `/proc/PID/status`; fields may be missing. */
export function parseStatus(text: string): ProcessStatus {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const words = (name: string): string[] => (fields.get(name) ?? "").split(/\s/);
  const caught = fields.get("SigCgt") ?? "";
  return {
    uid: wholeNumber(words("Uid")[1]),
    innerPid: wholeNumber(words("NSpid").at(-1)),
    rssKb: wholeNumber(words("VmRSS")[0]),
    catchesQuit: /^[0-9a-f]{1,64}$/.test(caught) && (BigInt(`0x${caught}`) & quitBit) !== 0n,
  };
}

export async function readProcStatus(root: MachineRoot, pid: number): Promise<ProcessStatus | null> {
  const text = await readOrNull(procPath(root, pid, "status"));
  return text === null ? null : parseStatus(text);
}

/** When the machine started, by its own clock: the line `btime` of `/proc/stat`. */
export function machineStartOf(text: string): Instant | null {
  const line = text.split("\n").find((each) => each.startsWith("btime "));
  const seconds = wholeNumber(line?.slice("btime ".length).trim());
  return seconds === null ? null : seconds * 1000;
}

/** The start of the last process: it does not change, and `/proc/stat` is large. */
let lastStart: { readonly of: string; readonly at: Instant } | null = null;

/** Stays the same while the process runs, although the kernel derives it from a clock that may be set. */
export async function startOf(
  root: MachineRoot,
  { pid, startTicks }: { readonly pid: number; readonly startTicks: number },
): Promise<Instant | null> {
  const of = `${root} ${pid} ${startTicks}`;
  if (lastStart?.of === of) return lastStart.at;
  const machineStart = machineStartOf((await readOrNull(join(root, "proc", "stat"))) ?? "");
  if (machineStart === null) return null;
  const at = machineStart + Math.round((startTicks / ticksPerSecond) * 1000);
  lastStart = { of, at };
  return at;
}

/** A whole number as the kernel's files write it; null for anything else. */
export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
