import { stat } from "node:fs/promises";
import { nullIfClosed } from "../../core/failure-code.ts";
import { minuteMs, secondMs, type Instant } from "../../core/time.ts";
import { containerOf } from "../process/docker-state.ts";
import { witnessOf, type EndWitness } from "../process/end-witness.ts";
import { stillRuns } from "../process/find-process.ts";
import { countKills, hasKilled, type KillCount } from "../process/kernel-kills.ts";
import { leftFilesOf, type LeftFiles } from "../process/left-files.ts";
import { holdsSocket, listenersOn, type Transport } from "../process/listening.ts";
import { transportOf } from "../install/server-kind.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { startOf, type MachineRoot } from "../../linux/proc.ts";
import type { ProcessMemory } from "../state/log-memory.ts";

export interface ProcessEnd {
  readonly startedAt: Instant | null;
  readonly lastSeenAt: Instant;
  /** When it was found gone; null if it ended while the agent was away. */
  readonly at: Instant | null;
  /** It listened on the server's port, or ran so long that it must have been ready. */
  readonly wasUp: boolean;
  /** It wrote to the log, or there is none: other programs may run in the server's folder too. */
  readonly isServer: boolean;
  readonly witness: EndWitness | null;
  /** The start of the process that runs in its place; null for none. */
  readonly successorAt: Instant | null;
  /** Looks again: a supervisor counts the end a moment later. */
  look(): Promise<EndWitness | null>;
}

/** The server's process, which ran at the last look. */
export interface LivingProcess {
  readonly startedAt: Instant | null;
  readonly wasUp: boolean;
  /** It ran already when the agent began. */
  readonly isOld: boolean;
}

export interface ProcessWatch {
  /** The end of the known process, returned once. */
  findEnd(now: Instant): Promise<ProcessEnd | null>;
  readonly living: LivingProcess | null;
  /** The running process, in its stored form. */
  readonly known: ProcessMemory | null;
  /** Continues with the process that was known before the agent was away. */
  remember(process: ProcessMemory): void;
}

/** The least time between two searches through all processes, ms; a known process is checked alone. */
const searchEveryMs = 5 * secondMs;
/** For so long after an end a start is expected, and looked for more often, ms. */
const restartMs = 2 * minuteMs;
const searchSoonMs = 2 * secondMs;
/** The oldest count of kills to compare with, ms: other processes of the group may be killed meanwhile. */
const recountEveryMs = 10 * secondMs;
/** A server that cannot be seen to listen counts as ready after this, ms. */
const surelyUpMs = 5 * minuteMs;

interface Known {
  readonly pid: number;
  readonly startTicks: number;
  readonly isOld: boolean;
  startedAt: Instant | null;
  lastSeenAt: Instant;
  wasUp: boolean;
  hasLog: boolean;
  kills: readonly KillCount[];
  container: string | null;
  left: LeftFiles | null;
  countedAt: Instant;
  isRemembered: boolean;
}

type Install = Pick<ServerInstall, "findProcess" | "directory" | "kind" | "port" | "log">;

class Watch implements ProcessWatch {
  readonly #install: Install;
  readonly #root: MachineRoot;
  #known: Known | null = null;
  #searchedAt = Number.NEGATIVE_INFINITY;
  #isFirst = true;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(install: Install, root: MachineRoot) {
    this.#install = install;
    this.#root = root;
  }

  async findEnd(now: Instant): Promise<ProcessEnd | null> {
    const known = this.#known;
    if (known === null) {
      this.#known = await this.#search(now);
      return null;
    }
    if (!(await stillRuns(this.#root, known))) return this.#endOf(known, now);
    known.lastSeenAt = now;
    known.isRemembered = false;
    const wasUp = known.wasUp;
    await this.#lookAt(known, now);
    const isNowUp = known.wasUp && !wasUp;
    if (isNowUp || known.left === null || Math.abs(now - known.countedAt) >= recountEveryMs)
      await this.#recount(known, now);
    return null;
  }

  get living(): LivingProcess | null {
    const known = this.#known;
    return known && { startedAt: known.startedAt, wasUp: known.wasUp, isOld: known.isOld };
  }

  get known(): ProcessMemory | null {
    return this.#known && memoryOf(this.#known);
  }

  remember(process: ProcessMemory): void {
    this.#known = remembered(process);
    this.#isFirst = false;
  }

  async #search(now: Instant): Promise<Known | null> {
    const everyMs = Math.abs(now - this.#endedAt) < restartMs ? searchSoonMs : searchEveryMs;
    if (Math.abs(now - this.#searchedAt) < everyMs) return null;
    this.#searchedAt = now;
    const found = await this.#install.findProcess();
    const isOld = this.#isFirst;
    this.#isFirst = false;
    if (found === null) return null;
    const { pid, startTicks } = found;
    const one: Known = {
      pid,
      startTicks,
      isOld,
      startedAt: await startOf(this.#root, found),
      lastSeenAt: now,
      wasUp: false,
      hasLog: false,
      kills: [],
      container: await containerOf(this.#root, pid),
      left: null,
      countedAt: now,
      isRemembered: false,
    };
    await this.#recount(one, now);
    await this.#lookAt(one, now);
    return one;
  }

  /** What is to be known of a process before it ends. */
  async #recount(one: Known, now: Instant): Promise<void> {
    const server = await this.#install.findProcess();
    if (server?.pid === one.pid) one.left = await leftFilesOf(this.#root, server, this.#install.directory);
    one.kills = await countKills(this.#root, one.pid);
    one.countedAt = now;
  }

  async #lookAt(one: Known, now: Instant): Promise<void> {
    const { log, port, kind } = this.#install;
    const isOld = one.startedAt !== null && now - one.startedAt > surelyUpMs;
    one.wasUp ||= isOld || (await listens(this.#root, one.pid, { port, transport: transportOf(kind) }));
    one.hasLog ||= await isWrittenSince(log, one.startedAt);
  }

  async #endOf(one: Known, now: Instant): Promise<ProcessEnd> {
    const { startedAt, lastSeenAt, left, container } = one;
    const killedForMemory = await hasKilled(one.isRemembered ? one.kills.slice(0, 1) : one.kills);
    const look = async (): Promise<EndWitness | null> => {
      if (left) return witnessOf(this.#root, { left, container, startedAt, lastSeenAt, killedForMemory });
      return killedForMemory ? { is: "killed", by: "kernel for memory" } : null;
    };
    const isServer = one.hasLog || (await isWrittenSince(this.#install.log, startedAt));
    this.#searchedAt = Number.NEGATIVE_INFINITY;
    this.#endedAt = now;
    this.#known = await this.#search(now);
    return {
      startedAt,
      lastSeenAt,
      at: one.isRemembered ? null : now,
      wasUp: one.wasUp,
      isServer,
      witness: await look(),
      successorAt: this.#known && (this.#known.startedAt ?? now),
      look,
    };
  }
}

export const processWatch = (install: Install, root: MachineRoot): ProcessWatch => new Watch(install, root);

const memoryOf = (one: Known): ProcessMemory => ({
  pid: one.pid,
  start_ticks: one.startTicks,
  seen_at: one.lastSeenAt,
  ended: one.left && {
    started_at: one.startedAt,
    was_up: one.wasUp,
    has_log: one.hasLog,
    kills: [...one.kills],
    container: one.container,
    left: one.left,
  },
});

const remembered = ({ pid, start_ticks, seen_at, ended }: ProcessMemory): Known => ({
  pid,
  startTicks: start_ticks,
  isOld: true,
  startedAt: ended?.started_at ?? null,
  lastSeenAt: seen_at,
  wasUp: ended?.was_up ?? false,
  hasLog: ended?.has_log ?? false,
  kills: ended?.kills ?? [],
  container: ended?.container ?? null,
  left: ended?.left ?? null,
  countedAt: seen_at,
  isRemembered: true,
});

async function listens(
  root: MachineRoot,
  pid: number,
  { port, transport }: { readonly port: number; readonly transport: Transport },
): Promise<boolean> {
  const sockets = await listenersOn(root, port, transport);
  if (sockets.length === 0) return false;
  return (await holdsSocket(root, pid, new Set(sockets.map(({ inode }) => inode)))) === true;
}

/** The clock of a file system is read in steps, and the kernel's start of a process in seconds, ms. */
const clockStepsMs = 2 * secondMs;

/** True too where there is no log: then nothing speaks against it. */
async function isWrittenSince(log: string, startedAt: Instant | null): Promise<boolean> {
  const found = await stat(log).catch(nullIfClosed);
  return found === null || startedAt === null || found.mtimeMs >= startedAt - clockStepsMs;
}
