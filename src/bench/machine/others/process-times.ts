import { oneLine } from "../../../agent/one-line.ts";
import { allPids } from "../../../agent/process/listening.ts";
import { groupedBy } from "../../../core/grouped.ts";
import { readStat, type MachineRoot, type ProcessStat } from "../../../linux/proc.ts";

export interface ProcessTimes extends ProcessStat {
  readonly pid: number;
}

/** All processes that can be seen from here. */
export async function readProcessTimes(root: MachineRoot): Promise<ProcessTimes[]> {
  const found: ProcessTimes[] = [];
  // One by one: thousands of open files at once would reach the limit of this process.
  for (const pid of await allPids(root)) {
    const stat = await readStat(root, pid);
    if (stat !== null) found.push({ ...stat, pid });
  }
  return found;
}

/** The process and everything that it started, by their numbers. */
export function withDescendants(processes: readonly ProcessTimes[], pid: number): ReadonlySet<number> {
  const children = groupedBy(processes, ({ parentPid }) => parentPid);
  const family = new Set([pid]);
  // A set that grows while it is walked is walked to its new end.
  for (const each of family) for (const child of children.get(each) ?? []) family.add(child.pid);
  return family;
}

/** A program with its share of the run. */
export interface ProgramShare {
  /** As the kernel knows it, for people: without control characters, and short. */
  readonly name: string;
  /** Of one core, over the whole run. */
  readonly cpuPercent: number;
}

const longestName = 40;

const shownName = (name: string): string => oneLine(name).slice(0, longestName) || "a program without a name";

interface Seen {
  readonly name: string;
  /** At the first look; 0 for a process that began later. */
  readonly before: number;
  after: number;
}

/** Adds up what each process that does not belong to the run used, over all looks. */
export class OtherPrograms {
  readonly #seen = new Map<string, Seen>();
  readonly #own = new Set<string>();
  #looks = 0;

  look(processes: readonly ProcessTimes[], own: ReadonlySet<number>): void {
    for (const { pid, startTicks, name, cpuTicks } of processes) {
      const key = `${pid} ${startTicks}`;
      if (own.has(pid)) this.#own.add(key);
      const known = this.#seen.get(key);
      if (known) known.after = cpuTicks;
      else this.#seen.set(key, { name, before: this.#looks === 0 ? cpuTicks : 0, after: cpuTicks });
    }
    this.#looks += 1;
  }

  /** The programs with most CPU time, processes of one name together; those below 1 % are left out. */
  busiest(most: number, elapsedTicks: number): ProgramShare[] {
    const ticks = new Map<string, number>();
    for (const [key, { name, before, after }] of this.#seen) {
      const shown = shownName(name);
      if (!this.#own.has(key)) ticks.set(shown, (ticks.get(shown) ?? 0) + after - before);
    }
    return [...ticks]
      .map(([name, used]) => ({ name, cpuPercent: Math.round((100 * used) / elapsedTicks) }))
      .filter(({ cpuPercent }) => cpuPercent >= 1)
      .toSorted((one, other) => other.cpuPercent - one.cpuPercent)
      .slice(0, most);
  }
}
