import type { ServerProcess } from "../install/server-install.ts";
import { headOrNull, procPath, type MachineRoot } from "../../linux/proc.ts";

/** A file of arguments is a few lines, bytes. */
const largestArguments = 256 * 1024;

/** The arguments with each `@file` replaced by its content, as Forge and NeoForge are started. */
export async function expandedArguments(root: MachineRoot, server: ServerProcess): Promise<string[]> {
  const all: string[] = [];
  for (const argument of server.arguments) {
    if (!argument.startsWith("@")) {
      all.push(argument);
      continue;
    }
    const path = procPath(root, server.pid, "cwd", argument.slice(1));
    const text = await headOrNull(path, largestArguments);
    const lines = (text ?? "").split("\n").filter((line) => !line.trim().startsWith("#"));
    all.push(...lines.join(" ").split(/\s+/));
  }
  return all;
}
