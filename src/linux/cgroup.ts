import { join } from "node:path";
import { wholeNumber, procPath, readOrNull, type MachineRoot } from "./proc.ts";

/** A mounted tree of control groups: version 2, or these controllers of version 1. */
interface Mount {
  readonly controllers: ReadonlySet<string>;
  readonly isUnified: boolean;
  /** The part of the tree that is mounted, and its mount point. */
  readonly tree: string;
  readonly at: string;
}

/** Folders of a process' groups, innermost first, and the version of their files. */
export interface GroupFolders {
  readonly isUnified: boolean;
  readonly folders: readonly string[];
}

/** Reads the trees of control groups in `/proc/PID/mountinfo` (proc(5)). */
export function parseMounts(text: string): Mount[] {
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , tree, at] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    if (tree === undefined || at === undefined || !type?.startsWith("cgroup")) return [];
    const isUnified = type === "cgroup2";
    return [
      {
        controllers: new Set(options.split(",")),
        isUnified,
        tree: unescapedPath(tree),
        at: unescapedPath(at),
      },
    ];
  });
}

/** mountinfo writes blanks in a path as octal escapes. */
export const unescapedPath = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

/** Reads `/proc/PID/cgroup`: the group by controller; the key `""` is version 2. */
export function parseGroups(text: string): Map<string, string> {
  const groups = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, controllers, ...path] = line.split(":");
    if (controllers === undefined || path.length === 0) continue;
    for (const controller of controllers.split(",")) groups.set(controller, path.join(":"));
  }
  return groups;
}

/**
 * The folders with the limits of `controller` on this process; null if this machine has no such tree. A group
 * outside the mounted tree (a container beside this one) is read through the process' own root.
 */
export async function groupFolders(
  root: MachineRoot,
  pid: number,
  controller: "memory" | "cpu",
): Promise<GroupFolders | null> {
  const [groupText, ourMounts] = await Promise.all([
    readOrNull(procPath(root, pid, "cgroup")),
    readOrNull(procPath(root, "self", "mountinfo")),
  ]);
  if (groupText === null || ourMounts === null) return null;
  const groups = parseGroups(groupText);
  const mounts = parseMounts(ourMounts);
  const mount =
    mounts.find((each) => !each.isUnified && each.controllers.has(controller)) ??
    mounts.find((each) => each.isUnified);
  const group = groups.get(mount?.isUnified === false ? controller : "");
  if (mount === undefined || group === undefined) return null;
  const inside = insideOf(mount.tree, group);
  if (inside === null) {
    return { isUnified: mount.isUnified, folders: [procPath(root, pid, "root", mount.at)] };
  }
  const names = inside.split("/").filter((name) => name !== "");
  const folders = names.map((_, index) => join(root, mount.at, ...names.slice(0, names.length - index)));
  return { isUnified: mount.isUnified, folders: [...folders, join(root, mount.at)] };
}

/** The group's path below the mounted part of the tree; null if it lies elsewhere. */
function insideOf(tree: string, group: string): string | null {
  if (group.split("/").includes("..")) return null;
  if (tree === "/") return group;
  return `${group}/`.startsWith(`${tree}/`) ? group.slice(tree.length) : null;
}

/** Null for no limit, or an unknown one. */
export interface Limits {
  readonly memoryBytes: number | null;
  /** Whether the kernel slows the group down at this limit (`MemoryHigh` of systemd), and kills nothing. */
  readonly memorySlows: boolean;
  /** What the group with this limit uses, bytes; null without a limit. */
  readonly memoryUsedBytes: number | null;
  readonly cpuCores: number | null;
  readonly throttling: Throttling | null;
}

/** Since the group was made. */
export interface Throttling {
  readonly periods: number;
  readonly throttledPeriods: number;
  /** Time that threads waited for the next period, summed over processors, ms. */
  readonly throttledMs: number | null;
}

/** Version 1 writes "no limit" as the largest multiple of a page below 2^63; no machine has 2^60 bytes. */
const beyondMemory = 2 ** 60;

/** The lowest limits of the process' groups. */
export async function readLimits(root: MachineRoot, pid: number): Promise<Limits> {
  const [memory, cpu] = await Promise.all([
    groupFolders(root, pid, "memory"),
    groupFolders(root, pid, "cpu"),
  ]);
  const memoryLimits = await eachGroup(memory, async (folder, isUnified) => {
    const limit = await memoryLimit(folder, isUnified);
    return limit && { ...limit, folder, isUnified };
  });
  const lowest = memoryLimits.toSorted((a, b) => a.bytes - b.bytes)[0] ?? null;
  const quotas = (await eachGroup(cpu, quotaOf)).sort((a, b) => a.cores - b.cores);
  const [least] = quotas;
  return {
    memoryBytes: lowest?.bytes ?? null,
    memorySlows: lowest?.slows ?? false,
    memoryUsedBytes: lowest && (await memoryUse(lowest.folder, lowest.isUnified)),
    cpuCores: least?.cores ?? null,
    throttling: least === undefined ? null : parseThrottling(await groupFile(least.folder, "cpu.stat")),
  };
}

/** Leaves out groups whose result is null. */
export async function eachGroup<T>(
  groups: GroupFolders | null,
  readGroup: (folder: string, isUnified: boolean) => Promise<T | null>,
): Promise<T[]> {
  if (groups === null) return [];
  const found = await Promise.all(groups.folders.map((folder) => readGroup(folder, groups.isUnified)));
  return found.flatMap((value) => value ?? []);
}

/** Empty if the file is absent. */
export const groupFile = async (folder: string, file: string): Promise<string> =>
  (await readOrNull(join(folder, file)))?.trim() ?? "";

interface MemoryLimit {
  readonly bytes: number;
  readonly slows: boolean;
}

/** The limit of one group; null for none. Version 2 has two: at `memory.high` the group is slowed down. */
export async function memoryLimit(folder: string, isUnified: boolean): Promise<MemoryLimit | null> {
  const [most, high] = isUnified
    ? [await limitIn(folder, "memory.max"), await limitIn(folder, "memory.high")]
    : [await limitIn(folder, "memory.limit_in_bytes"), null];
  if (high !== null && high < (most ?? Number.POSITIVE_INFINITY)) return { bytes: high, slows: true };
  return most === null ? null : { bytes: most, slows: false };
}

async function limitIn(folder: string, file: string): Promise<number | null> {
  // Version 1 writes "no limit" with more digits than `wholeNumber` takes.
  const bytes = wholeNumber(await groupFile(folder, file));
  return bytes !== null && bytes > 0 && bytes < beyondMemory ? bytes : null;
}

/**
 * What one group and those below it use, bytes, without the inactive file cache, which the kernel frees first.
 * Null if the kernel does not count it, as for the root of version 2.
 */
export async function memoryUse(folder: string, isUnified: boolean): Promise<number | null> {
  const [used, stat] = await Promise.all([
    groupFile(folder, isUnified ? "memory.current" : "memory.usage_in_bytes"),
    groupFile(folder, "memory.stat"),
  ]);
  const bytes = wholeNumber(used);
  const name = isUnified ? "inactive_file" : "total_inactive_file";
  const line = stat.split("\n").find((each) => each.startsWith(`${name} `));
  return bytes === null ? null : Math.max(0, bytes - (wholeNumber(line?.slice(name.length + 1)) ?? 0));
}

interface Quota {
  readonly cores: number;
  readonly folder: string;
}

async function quotaOf(folder: string, isUnified: boolean): Promise<Quota | null> {
  const [quota, period] = isUnified
    ? (await groupFile(folder, "cpu.max")).split(" ").map(wholeNumber)
    : [
        wholeNumber(await groupFile(folder, "cpu.cfs_quota_us")),
        wholeNumber(await groupFile(folder, "cpu.cfs_period_us")),
      ];
  return quota && period ? { cores: quota / period, folder } : null;
}

/** Reads `cpu.stat` of either version. */
export function parseThrottling(written: string): Throttling | null {
  const values = new Map(
    written.split("\n").map((line): [string, number | null] => {
      const [name = "", value] = line.split(" ");
      return [name, wholeNumber(value)];
    }),
  );
  const [periods, throttledPeriods] = [values.get("nr_periods"), values.get("nr_throttled")];
  if (typeof periods !== "number" || typeof throttledPeriods !== "number") return null;
  // Version 2 counts microseconds, version 1 nanoseconds.
  const [microseconds, nanoseconds] = [values.get("throttled_usec"), values.get("throttled_time")];
  const throttledMs =
    typeof microseconds === "number"
      ? microseconds / 1e3
      : typeof nanoseconds === "number"
        ? nanoseconds / 1e6
        : null;
  return { periods, throttledPeriods, throttledMs };
}
