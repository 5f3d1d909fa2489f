import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { nullIfClosed } from "../../core/failure-code.ts";
import type { ServerProcess } from "../install/server-install.ts";
import { linkOrNull, procPath, readProcStatus, type MachineRoot } from "../../linux/proc.ts";
import { isSameFolder } from "./find-process.ts";
import { expandedArguments } from "./java-arguments.ts";

/** The places where a process leaves files that tell how it ended; found while it lives. */
export const LeftFiles = z.object({
  uid: z.int().nullable(),
  /** Where its JVM writes why it crashed. */
  error_files: z.array(z.string()),
  heap_dumps: z.array(z.string()),
  crash_reports: z.string(),
  /** Files that its JVM made and removes when it exits by itself; a process that is killed leaves them. */
  jvm_files: z.array(z.string()),
  /** Whether its JVM exits at once when its heap is full. */
  exits_without_memory: z.boolean(),
});
export type LeftFiles = z.output<typeof LeftFiles>;

/** The value of the last option that begins so; null for none. */
const optionOf = (options: readonly string[], start: string): string | null =>
  options.findLast((option) => option.startsWith(start))?.slice(start.length) || null;

export async function leftFilesOf(
  root: MachineRoot,
  server: ServerProcess,
  directory: string,
): Promise<LeftFiles> {
  const [status, options, cwd] = await Promise.all([
    readProcStatus(root, server.pid),
    expandedArguments(root, server),
    linkOrNull(procPath(root, server.pid, "cwd")),
  ]);
  const pid = String(status?.innerPid ?? server.pid);
  // A container has other paths: only those below its server's folder are known outside.
  const isOurs = (await isSameFolder(procPath(root, server.pid, "root", "tmp"), join(root, "tmp"))) === true;
  const reached = (path: string): string[] => {
    if (!isAbsolute(path)) return [join(directory, path)];
    if (isOurs) return [join(root, path)];
    return cwd !== null && path.startsWith(`${cwd}/`) ? [join(directory, path.slice(cwd.length + 1))] : [];
  };
  const errorFile = optionOf(options, "-XX:ErrorFile=")?.replaceAll("%p", pid);
  const dumpPath = optionOf(options, "-XX:HeapDumpPath=")?.replaceAll("%p", pid);
  const dump = `java_pid${pid}.hprof`;
  const error = `hs_err_pid${pid}.log`;
  const found: LeftFiles = {
    uid: status?.uid ?? null,
    error_files: [...reached(errorFile ?? error), ...(isOurs ? [join(root, "tmp", error)] : [])],
    heap_dumps:
      dumpPath === undefined ? reached(dump) : reached(dumpPath).flatMap((path) => [path, join(path, dump)]),
    crash_reports: join(directory, "crash-reports"),
    jvm_files: [],
    exits_without_memory: options.includes("-XX:+ExitOnOutOfMemoryError"),
  };
  return isOurs ? { ...found, jvm_files: await jvmFilesOf(root, pid, found.uid) } : found;
}

/** The counters for `jstat`, and the socket that a JVM opens at the first command. */
async function jvmFilesOf(root: MachineRoot, pid: string, uid: number | null): Promise<string[]> {
  const temporary = join(root, "tmp");
  const names = (await readdir(temporary).catch(nullIfClosed)) ?? [];
  const folders = names.filter((name) => name.startsWith("hsperfdata_"));
  const paths = [
    join(temporary, `.java_pid${pid}`),
    ...folders.map((folder) => join(temporary, folder, pid)),
  ];
  const there = await Promise.all(paths.map((path) => ownedFile(path, uid)));
  return paths.filter((_, index) => there[index] !== null);
}

/** Null for no such file, a folder, a link, or one of another user: anybody may write to /tmp. */
export async function ownedFile(
  path: string,
  uid: number | null,
): Promise<{ readonly writtenAt: number } | null> {
  const found = await lstat(path).catch(nullIfClosed);
  if (!found || !(found.isFile() || found.isSocket()) || (uid !== null && found.uid !== uid)) return null;
  return { writtenAt: found.mtimeMs };
}

/**
 * `left`: the JVM had no time to remove its files; `removed`: it exited by itself. Null if that is not known: a JVM that
 * starts removes the counters that others of its user left.
 */
export async function stateOfJvmFiles(
  { jvm_files: paths, uid }: LeftFiles,
  lastSeenAt: number,
): Promise<"left" | "removed" | null> {
  if (paths.length === 0) return null;
  const there = await Promise.all([...paths, ...socketsBeside(paths)].map((path) => ownedFile(path, uid)));
  if (there.some((file) => file !== null)) return "left";
  if (paths.some((path) => basename(path).startsWith(".java_pid"))) return "removed";
  return (await hasNewJvm(paths, lastSeenAt - clockStepMs)) ? null : "removed";
}

/** The sockets of the JVMs with these counters: they may have been opened later, and no other JVM removes them. */
const socketsBeside = (paths: readonly string[]): string[] =>
  paths
    .filter((path) => basename(dirname(path)).startsWith("hsperfdata_"))
    .map((path) => join(dirname(dirname(path)), `.java_pid${basename(path)}`));

/** The clock of a file system is read in steps, ms. */
const clockStepMs = 1000;

async function hasNewJvm(paths: readonly string[], since: number): Promise<boolean> {
  for (const folder of new Set(paths.map(dirname)))
    for (const name of (await readdir(folder).catch(nullIfClosed)) ?? []) {
      const found = await lstat(join(folder, name)).catch(nullIfClosed);
      if (found !== null && found.birthtimeMs >= since) return true;
    }
  return false;
}
