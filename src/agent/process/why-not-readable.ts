import type { ServerProcess } from "../install/server-install.ts";
import { headOrNull, procPath, type MachineRoot, type ProcessStatus } from "../../linux/proc.ts";

/** A JVM has a few hundred memory maps, with its own library among the last, bytes. */
const largestMaps = 8 * 1024 * 1024;

/** With these options a JVM takes no commands, or ends on SIGQUIT. */
const deaf = new Set(["-XX:+DisableAttachMechanism", "-Xrs", "-XX:+ReduceSignalUsage"]);

/** The last process found to be HotSpot, whose maps are large and need not be read again. */
let lastHotSpot: string | null = null;

/** Null if a command may be given: its SIGQUIT ends every process but a HotSpot JVM that handles it. */
export async function whyNotReadable(
  root: MachineRoot,
  server: ServerProcess,
  status: ProcessStatus | null,
): Promise<string | null> {
  if (!server.java || status === null)
    return "The server is not a JVM of this user. Run the agent as the user of the server.";
  if (server.arguments.some((argument) => deaf.has(argument))) {
    return "The server's JVM was started with an option that switches diagnostic commands off.";
  }
  if (!status.catchesQuit) return "The server's JVM does not handle SIGQUIT.";
  const key = `${root} ${server.pid} ${server.startTicks}`;
  if (lastHotSpot === key) return null;
  const maps = (await headOrNull(procPath(root, server.pid, "maps"), largestMaps)) ?? "";
  if (!maps.includes("/libjvm.so") || maps.includes("/libj9vm")) {
    return "The server's JVM is not HotSpot, and only HotSpot takes these commands.";
  }
  lastHotSpot = key;
  return null;
}
