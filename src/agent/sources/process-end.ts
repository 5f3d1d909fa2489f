import { join } from "node:path";
import { secondMs, type Instant } from "../../core/time.ts";
import { groupFolders } from "../../linux/cgroup.ts";
import { stillRuns } from "../process/find-process.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { wholeNumber, readOrNull, type MachineRoot } from "../../linux/proc.ts";
import type { LogMemory } from "../state/log-memory.ts";

/** How a process of the game server ended. */
export interface ProcessEnd {
  readonly lastSeenAt: Instant;
  /** When a search did not find it any more; null if there was no search. */
  readonly at: Instant | null;
  /** The kernel ended a process of its control group for want of memory meanwhile. */
  readonly forMemory: boolean;
}

export interface ProcessWatch {
  /** Returns the end of the process that was seen before, once. */
  findEnd(now: Instant): Promise<ProcessEnd | null>;
  /** The process that is known to run, in the form in which it is kept. */
  readonly known: LogMemory["process"];
  /** The process that was known before the agent was away. */
  remember(process: NonNullable<LogMemory["process"]>): void;
}

/** The least time between two searches through all processes, ms; a known process is checked alone. */
const searchEveryMs = 5 * secondMs;
/** The most age of a count of kills, ms: another process of the group may have been killed since. */
const recountEveryMs = 10 * secondMs;

interface Known {
  readonly pid: number;
  readonly startTicks: number;
  groups: readonly string[];
  lastSeenAt: Instant;
  kills: number | null;
  countedAt: Instant;
}

/** Watches the server's process from one second to the next. */
export function processWatch(install: Pick<ServerInstall, "findProcess">, root: MachineRoot): ProcessWatch {
  let known: Known | null = null;
  let searchedAt = Number.NEGATIVE_INFINITY;
  let isRemembered = false;

  const search = async (now: Instant): Promise<Known | null> => {
    if (Math.abs(now - searchedAt) < searchEveryMs) return null;
    searchedAt = now;
    const found = await install.findProcess();
    if (found === null) return null;
    const groups = await killFiles(root, found.pid);
    const { pid, startTicks } = found;
    return { pid, startTicks, groups, lastSeenAt: now, kills: await killsIn(groups), countedAt: now };
  };

  return {
    async findEnd(now) {
      if (known === null) {
        known = await search(now);
        return null;
      }
      if (await stillRuns(root, known)) {
        known.lastSeenAt = now;
        isRemembered = false;
        if (known.groups.length === 0 || Math.abs(now - known.countedAt) >= recountEveryMs) {
          if (known.groups.length === 0) known.groups = await killFiles(root, known.pid);
          Object.assign(known, { kills: await killsIn(known.groups), countedAt: now });
        }
        return null;
      }
      const { lastSeenAt, groups, kills } = known;
      const killsNow = await killsIn(groups);
      const at = isRemembered ? null : now;
      known = null;
      isRemembered = false;
      searchedAt = Number.NEGATIVE_INFINITY;
      return { lastSeenAt, at, forMemory: kills !== null && killsNow !== null && killsNow > kills };
    },
    get known() {
      return known && { pid: known.pid, start_ticks: known.startTicks, seen_at: known.lastSeenAt };
    },
    remember({ pid, start_ticks: startTicks, seen_at: lastSeenAt }) {
      known = { pid, startTicks, groups: [], lastSeenAt, kills: null, countedAt: lastSeenAt };
      isRemembered = true;
    },
  };
}

/** The files in which the kernel counts the kills in the groups of a process, the innermost first. */
async function killFiles(root: MachineRoot, pid: number): Promise<readonly string[]> {
  const groups = await groupFolders(root, pid, "memory");
  const file = groups?.isUnified ? "memory.events" : "memory.oom_control";
  return (groups?.folders ?? []).map((folder) => join(folder, file));
}

/** Of the innermost group that counts; null where none does, or its folder is gone with its container. */
async function killsIn(files: readonly string[]): Promise<number | null> {
  for (const file of files) {
    const written = await readOrNull(file);
    const line = written?.split("\n").find((each) => each.startsWith("oom_kill "));
    const kills = wholeNumber(line?.slice("oom_kill ".length).trim());
    if (kills !== null) return kills;
  }
  return null;
}
