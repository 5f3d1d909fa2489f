import { dirname, join } from "node:path";
import { longestFlag, mostFlags, type SoftwareInventory } from "../../core/software/inventory.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { headOrNull, linkOrNull, procPath, thisMachine, type MachineRoot } from "../../linux/proc.ts";
import { sentTextOrNull } from "./sent-text.ts";

/** The file is a few lines, bytes. */
const largestRelease = 64 * 1024;

/** The Java that the server's process runs on; all null without a process. */
export async function readJavaSoftware(
  install: Pick<ServerInstall, "findProcess">,
  root: MachineRoot = thisMachine,
): Promise<SoftwareInventory["java"]> {
  const process = await install.findProcess();
  if (process === null) return { version: null, vendor: null, flags: null };
  const program = await linkOrNull(procPath(root, process.pid, "exe"));
  // In a container, the path is below the container's root.
  const home = program === null ? null : dirname(dirname(program));
  const release = home === null ? null : join(procPath(root, process.pid, "root"), home, "release");
  const text = release === null ? null : await headOrNull(release, largestRelease);
  const line = (key: string): string | null => {
    const found = text?.split("\n").find((each) => each.startsWith(`${key}="`));
    return found?.slice(key.length + 2).split('"', 1)[0] ?? null;
  };
  return {
    version: sentTextOrNull(line("JAVA_VERSION"), 64),
    vendor: sentTextOrNull(line("IMPLEMENTOR"), 120),
    flags: flagsIn(process.arguments),
  };
}

/** Flags whose value is a switch, a number or one word; others can hold secrets and are never sent. */
const harmlessFlag =
  /^-(?:X(?:m[nsx]|ss)\d{1,15}[kmgtKMGT]?|Xint|Xcomp|Xmixed|Xrs|server|XX:[+-]\w{1,100}|XX:\w{1,100}=[\w.%-]{1,60})$/;

/** The flags before the program's own arguments; null if the process shows no arguments. */
function flagsIn(all: readonly string[]): string[] | null {
  if (all.length === 0) return null;
  const end = all.findIndex((argument, index) => index > 0 && !isOption(argument, all[index - 1] ?? ""));
  const options = all.slice(1, end < 0 ? all.length : end);
  return options.filter((flag) => flag.length <= longestFlag && harmlessFlag.test(flag)).slice(0, mostFlags);
}

/** Launcher options that take the next argument as their value. */
const withValue = new Set([
  "-cp",
  "-classpath",
  "--class-path",
  "-p",
  "--module-path",
  "--add-modules",
  "--add-opens",
  "--add-exports",
  "--add-reads",
  "--upgrade-module-path",
]);

/** The first argument that is no option or `@file` is the program, or follows `-jar`. */
const isOption = (argument: string, before: string): boolean =>
  argument.startsWith("-") || argument.startsWith("@") || withValue.has(before);
