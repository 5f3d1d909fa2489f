import { join } from "node:path";
import { secondMs, type Instant } from "../../core/time.ts";
import { groupFolders } from "../../linux/cgroup.ts";
import { stillRuns } from "../process/find-process.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { wholeNumber, readOrNull, type MachineRoot } from "../../linux/proc.ts";
import type { LogMemory } from "../state/log-memory.ts";

export interface ProcessEnd {
  readonly lastSeenAt: Instant;
  /** When it was found gone; null if it ended while the agent was away. */
  readonly at: Instant | null;
  /** The kernel killed a process of its control group meanwhile, for lack of memory. */
  readonly forMemory: boolean;
}

export interface ProcessWatch {
  /** The end of the known process, returned once. */
  findEnd(now: Instant): Promise<ProcessEnd | null>;
  /** The running process, in its stored form. */
  readonly known: LogMemory["process"];
  /** Continues with the process that was known before the agent was away. */
  remember(process: NonNullable<LogMemory["process"]>): void;
}

/** The least time between two searches through all processes, ms; a known process is checked alone. */
const searchEveryMs = 5 * secondMs;
/** The oldest count of kills to compare with, ms: other processes of the group may be killed meanwhile. */
const recountEveryMs = 10 * secondMs;

interface Known {
  readonly pid: number;
  readonly startTicks: number;
  groups: readonly string[];
  lastSeenAt: Instant;
  kills: number | null;
  countedAt: Instant;
}

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

/** The files with the kernel's count of kills in a process' groups, innermost first. */
async function killFiles(root: MachineRoot, pid: number): Promise<readonly string[]> {
  const groups = await groupFolders(root, pid, "memory");
  const file = groups?.isUnified ? "memory.events" : "memory.oom_control";
  return (groups?.folders ?? []).map((folder) => join(folder, file));
}

/** The innermost group with a count decides; null if none has one, or its folder is gone. */
async function killsIn(files: readonly string[]): Promise<number | null> {
  for (const file of files) {
    const written = await readOrNull(file);
    const line = written?.split("\n").find((each) => each.startsWith("oom_kill "));
    const kills = wholeNumber(line?.slice("oom_kill ".length).trim());
    if (kills !== null) return kills;
  }
  return null;
}
