import { readdir, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { ServerProcess } from "../install/server-install.ts";
import { expandedArguments } from "../process/java-arguments.ts";
import { procPath, readProcStatus, type MachineRoot } from "../../linux/proc.ts";
import { nullIfClosed } from "../../core/failure-code.ts";

/** `-Xlog:gc*:file=logs/gc.log:time:filecount=5`: what is logged, its destination and its options. */
const unified = /^-Xlog:([^:]*):(.*)$/;
const quoted = /^(?:file=)?"([^"]*)"/;

/** The path pattern of the GC log in these JVM arguments, of which the last one counts; null for none. */
export function gcLogPattern(argumentList: readonly string[]): string | null {
  let found: string | null = null;
  for (const argument of argumentList) found = patternIn(argument) ?? found;
  return found;
}

function patternIn(argument: string): string | null {
  if (argument.startsWith("-Xloggc:")) return argument.slice("-Xloggc:".length) || null;
  const [, what = "", rest = ""] = unified.exec(argument) ?? [];
  if (!what.split(",").some(selectsGc)) return null;
  const output = quoted.exec(rest)?.[1] ?? rest.split(":")[0] ?? "";
  const path = output.startsWith("file=") ? output.slice("file=".length) : output;
  return path === "" || path === "stdout" || path === "stderr" ? null : path;
}

const tellingLevels = new Set(["info", "debug", "trace"]);

/** Whether collections are logged: `gc`, `gc*=info`, `all`, or nothing, which means everything. */
function selectsGc(selection: string): boolean {
  const [tags = "", level = "info"] = selection.trim().split("=");
  return ["gc", "gc*", "all", ""].includes(tags) && tellingLevels.has(level);
}

/** `%p` is the pid, `%t` the start time; JDK 8 adds `.0.current` to the file in use. */
function matches(name: string, pattern: string, innerPid: number): boolean {
  const [head = "", ...rest] = pattern.replaceAll("%p", String(innerPid)).split("%t");
  let at = head.length;
  if (!name.startsWith(head)) return false;
  for (const part of rest) {
    const next = name.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  const left = name.slice(at);
  return left === "" || /^\.\d{1,3}\.current$/.test(left);
}

/** The GC log that this process writes to now; null if there is none, or none that can be reached. */
export async function gcLogOf(root: MachineRoot, server: ServerProcess): Promise<string | null> {
  const pattern = gcLogPattern(await expandedArguments(root, server));
  if (pattern === null) return null;
  const innerPid = (await readProcStatus(root, server.pid))?.innerPid ?? server.pid;
  // Through the process, because a path inside its container is another one outside.
  const path = isAbsolute(pattern)
    ? procPath(root, server.pid, "root", pattern)
    : procPath(root, server.pid, "cwd", pattern);
  const folder = dirname(path);
  const names = (await readdir(folder).catch(nullIfClosed)) ?? [];
  const ours = names.filter((name) => matches(name, basename(path), innerPid));
  const dated = await Promise.all(
    ours.map(async (name) => {
      const file = await stat(join(folder, name)).catch(nullIfClosed);
      return { path: join(folder, name), at: file?.isFile() ? file.mtimeMs : -1 };
    }),
  );
  return dated.filter(({ at }) => at >= 0).sort((a, b) => b.at - a.at)[0]?.path ?? null;
}
