import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { nullIfClosed } from "../../core/failure-code.ts";
import { allPids, holdsSocket, listenersOn, type ListeningSocket } from "./listening.ts";
import type { ServerProcess } from "../install/server-install.ts";
import {
  headOrNull,
  linkOrNull,
  procPath,
  readStat,
  readProcStatus,
  type MachineRoot,
} from "../../linux/proc.ts";

/** A command line of a modded server's class path reaches 100 KB, bytes. */
const longestCommandLine = 512 * 1024;

interface Candidate {
  readonly pid: number;
  readonly startTicks: number;
  readonly java: boolean;
}

/**
 * The process that listens on `port`, or else the JVM that runs in `directory` (a server that is still starting, or
 * that listens in another network namespace). Null if there is none; processes that this user may not read are found by other files.
 */
export async function findProcess(
  root: MachineRoot,
  { port, directory }: { readonly port: number; readonly directory: string },
): Promise<ServerProcess | null> {
  const [sockets, candidates] = await Promise.all([listenersOn(root, port), candidatesOf(root)]);
  const found =
    (await holderOf(root, sockets, candidates, directory)) ??
    (await inDirectory(root, candidates, directory)) ??
    (await onlyOfUser(root, sockets, candidates, directory));
  return found && describe(root, found);
}

/** Whether `process` still runs: its number alone may belong to another by now. */
export async function stillRuns(
  root: MachineRoot,
  process: Pick<ServerProcess, "pid" | "startTicks">,
): Promise<boolean> {
  const now = await readStat(root, process.pid);
  return now !== null && isAlive(now.state) && now.startTicks === process.startTicks;
}

/** Every JVM, by its program's name. */
export async function runningJvms(root: MachineRoot): Promise<readonly { readonly pid: number }[]> {
  return (await candidatesOf(root)).filter(({ java }) => java);
}

/** Zombies and dead processes keep their number until their parent reads their status. */
const isAlive = (state: string): boolean => state !== "Z" && state !== "X";

/** JVMs first: they are few, and a server is most often one. */
async function candidatesOf(root: MachineRoot): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const pid of await allPids(root)) {
    const now = await readStat(root, pid);
    if (now === null || !isAlive(now.state) || pid === process.pid) continue;
    const program = await linkOrNull(procPath(root, pid, "exe"));
    const java = now.name === "java" || basename(program ?? "") === "java";
    found.push({ pid, startTicks: now.startTicks, java });
  }
  return found.sort((a, b) => Number(b.java) - Number(a.java) || a.startTicks - b.startTicks);
}

/** A proxy of a container runtime holds the port too, but does not live in the server's folder. */
async function holderOf(
  root: MachineRoot,
  sockets: readonly ListeningSocket[],
  candidates: readonly Candidate[],
  directory: string,
): Promise<Candidate | null> {
  if (sockets.length === 0) return null;
  const inodes = new Set(sockets.map(({ inode }) => inode));
  for (const candidate of candidates) {
    if ((await holdsSocket(root, candidate.pid, inodes)) !== true) continue;
    const isHere = await livesIn(root, candidate.pid, directory);
    if (isHere ?? candidate.java) return candidate;
  }
  return null;
}

async function inDirectory(
  root: MachineRoot,
  candidates: readonly Candidate[],
  directory: string,
): Promise<Candidate | null> {
  for (const candidate of candidates) {
    if (candidate.java && (await livesIn(root, candidate.pid, directory))) return candidate;
  }
  return null;
}

/** Another user's files cannot be seen, but the kernel shows the user of the socket, which is enough if that user runs one JVM. */
async function onlyOfUser(
  root: MachineRoot,
  sockets: readonly ListeningSocket[],
  candidates: readonly Candidate[],
  directory: string,
): Promise<Candidate | null> {
  const users = new Set(sockets.map(({ uid }) => uid));
  const theirs: Candidate[] = [];
  for (const candidate of candidates) {
    if (!candidate.java || (await livesIn(root, candidate.pid, directory)) !== null) continue;
    const uid = (await readProcStatus(root, candidate.pid))?.uid;
    if (uid !== null && uid !== undefined && users.has(uid)) theirs.push(candidate);
  }
  const [one, ...others] = theirs;
  return others.length === 0 ? (one ?? null) : null;
}

/** Null when it may not be seen. */
const livesIn = (root: MachineRoot, pid: number, directory: string): Promise<boolean | null> =>
  isSameFolder(procPath(root, pid, "cwd"), directory);

/** Whether two names are of one folder: inside a container it has another one. Null when either may not be seen. */
export async function isSameFolder(one: string, other: string): Promise<boolean | null> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path).catch(nullIfClosed)));
  if (!first || !second) return null;
  return first.dev === second.dev && first.ino === second.ino;
}

async function describe(root: MachineRoot, { pid, startTicks, java }: Candidate): Promise<ServerProcess> {
  const [status, line] = await Promise.all([
    readProcStatus(root, pid),
    headOrNull(procPath(root, pid, "cmdline"), longestCommandLine),
  ]);
  const us = process.geteuid?.() ?? null;
  return {
    pid,
    startTicks,
    java: java && (us === 0 || (us !== null && us === status?.uid)),
    arguments: (line ?? "").split("\0").filter((argument) => argument !== ""),
  };
}
