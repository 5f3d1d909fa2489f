import { secondMs } from "../../core/time.ts";
import { askJvm } from "../process/attach.ts";
import type { ServerInstall } from "../install/server-install.ts";
import { thisMachine, type MachineRoot } from "../../linux/proc.ts";
import { largestUpload, type Collected } from "./collected.ts";

/** Counting goes through the whole heap while the server stands still: seconds for a large one. */
const patienceMs = 120 * secondMs;

/**
 * The histogram of the server's JVM by class, as `jcmd PID GC.class_histogram` prints it. The JVM collects its whole heap
 * for it, which stops the server for that long, so it is only done on request. Rejects in one line.
 */
export async function collectClassHistogram(
  install: Pick<ServerInstall, "findProcess">,
  signal: AbortSignal,
  root: MachineRoot = thisMachine,
): Promise<Collected> {
  const server = await install.findProcess();
  if (server === null) throw new Error("The server's process is not running.");
  const text = await askJvm(root, server, "GC.class_histogram", {
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    most: largestUpload,
  });
  return {
    kind: "memory report",
    contentType: "text/x-java-class-histogram",
    body: wholeLines(text),
    localName: "class-histogram.txt",
  };
}

/** A text that was cut ends in the middle of a row, which no reader takes. */
function wholeLines(text: string): string {
  return text.endsWith("\n") ? text : text.slice(0, text.lastIndexOf("\n") + 1);
}
