import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { nullIfClosed } from "../../core/failure-code.ts";
import { allPids, holdsSocket, listenersOn, type ListeningSocket, type Transport } from "./listening.ts";
import type { ServerProcess } from "../install/server-install.ts";
import {
  headOrNull,
  linkOrNull,
  procPath,
  readStat,
  readProcStatus,
  type MachineRoot,
} from "../../linux/proc.ts";

/** The class path of a modded server can make its command line 100 KB long, bytes. */
const longestCommandLine = 512 * 1024;

interface Candidate {
  readonly pid: number;
  readonly startTicks: number;
  readonly java: boolean;
  /** The Bedrock Dedicated Server's own program. */
  readonly isDedicated: boolean;
}

/**
 * The process that listens on `port`, else the JVM that runs in `directory` (still starting, or in another
 * network namespace), else the only JVM of the port's user. Null if there is none.
 */
export async function findProcess(
  root: MachineRoot,
  {
    port,
    directory,
    transport = "tcp",
  }: { readonly port: number; readonly directory: string; readonly transport?: Transport },
): Promise<ServerProcess | null> {
  const [sockets, candidates] = await Promise.all([listenersOn(root, port, transport), candidatesOf(root)]);
  const found =
    (await holderOf(root, sockets, candidates, directory)) ??
    (await inDirectory(root, candidates, directory)) ??
    (await onlyOfUser(root, sockets, candidates, directory));
  return found && describe(root, found);
}

/** Another process has another text; null if none is seen. */
export async function processIdentity({
  findProcess: find,
}: {
  readonly findProcess: () => Promise<ServerProcess | null>;
}): Promise<string | null> {
  const process = await find().catch(nullIfClosed);
  return process && `${process.pid}:${process.startTicks}`;
}

/** Compares the start too, because a pid can be used again. */
export async function stillRuns(
  root: MachineRoot,
  process: Pick<ServerProcess, "pid" | "startTicks">,
): Promise<boolean> {
  const now = await readStat(root, process.pid);
  return now !== null && isAlive(now.state) && now.startTicks === process.startTicks;
}

/** Servers of all users, recognised by their program's name. */
export async function runningServers(root: MachineRoot): Promise<readonly { readonly pid: number }[]> {
  return (await candidatesOf(root)).filter(({ java, isDedicated }) => java || isDedicated);
}

/** Zombies and dead processes keep their pid until their parent reads their status. */
const isAlive = (state: string): boolean => state !== "Z" && state !== "X";

/** JVMs first, because a server is most often one. */
async function candidatesOf(root: MachineRoot): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const pid of await allPids(root)) {
    const now = await readStat(root, pid);
    if (now === null || !isAlive(now.state) || pid === process.pid) continue;
    const program = await linkOrNull(procPath(root, pid, "exe"));
    const java = now.name === "java" || basename(program ?? "") === "java";
    const isDedicated = now.name === "bedrock_server";
    found.push({ pid, startTicks: now.startTicks, java, isDedicated });
  }
  return found.sort((a, b) => Number(b.java) - Number(a.java) || a.startTicks - b.startTicks);
}

/** A container runtime's proxy holds the port too, but does not run in the server's folder. */
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

/** The kernel shows the user of a socket even if that user's files are closed to us. */
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

/** Null if the folder may not be seen. */
const livesIn = (root: MachineRoot, pid: number, directory: string): Promise<boolean | null> =>
  isSameFolder(procPath(root, pid, "cwd"), directory);

/** Compares inodes, because a container has other paths. Null if either folder may not be seen. */
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
