import { secondMs } from "../../core/time.ts";
import { askJvm } from "../process/attach.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { thisMachine, type MachineRoot } from "../../linux/proc.ts";
import { longestUpload } from "../../core/import/longest-upload.ts";
import type { Collected } from "./collected.ts";

/** Counting walks the whole heap while the server stands still: seconds for a large heap. */
const patienceMs = 120 * secondMs;

/** Like `jcmd PID GC.class_histogram`: a full collection, which stops the server. Rejects in one line. */
export async function collectClassHistogram(
  install: Pick<ServerInstall, "findProcess">,
  signal: AbortSignal,
  root: MachineRoot = thisMachine,
): Promise<Collected> {
  const server = await install.findProcess();
  if (server === null) throw new Error("The server's process is not running.");
  const text = await askJvm(root, server, "GC.class_histogram", {
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    most: longestUpload,
  });
  return {
    kind: "memory report",
    contentType: "text/x-java-class-histogram",
    body: wholeLines(text),
    localName: "class-histogram.txt",
  };
}

/** A cut text ends within a row, which no reader accepts. */
function wholeLines(text: string): string {
  return text.endsWith("\n") ? text : text.slice(0, text.lastIndexOf("\n") + 1);
}
