import { oneLine } from "../../agent/one-line.ts";
import { GameFailure } from "./game-failure.ts";

export interface ServerEnd {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** True if the world was made before the end. */
  readonly wasReady: boolean;
}

/** Lines that tell why a server ended, with the reason code and a sentence for the owner. */
const causes: readonly (readonly [written: RegExp, code: string, sentence: string])[] = [
  [
    /UnsupportedClassVersionError|requires? (?:at least )?Java \d|needs? Java \d/i,
    "wrong_java",
    "The server needs another version of Java. Name one with --java.",
  ],
  [
    /OutOfMemoryError|insufficient memory for the Java Runtime|Could not reserve enough space|Native memory allocation \(\w+\) failed/,
    "out_of_memory",
    "The server's memory is not enough, or more than this machine has. Change it in --java-args, such as -Xmx4G.",
  ],
  [
    /Unrecognized (?:VM )?option|Invalid maximum heap size|Could not create the Java Virtual Machine/,
    "java_arguments_refused",
    "The JVM refused its options. Change them in --java-args.",
  ],
  [
    /Unable to access jarfile|Invalid or corrupt jarfile|no main manifest attribute|Could not find or load main class/,
    "jar_not_usable",
    "Java cannot start this jar. Name the jar that starts your server with --server.",
  ],
  [
    /FAILED TO BIND TO PORT|Address already in use|Unable to initiali[sz]e RCON/i,
    "port_taken",
    "Another program took the server's port at this moment. Run the command again.",
  ],
  [
    /You need to agree to the EULA/,
    "eula_not_accepted",
    "The server did not find the agreement to Mojang's licence in its folder.",
  ],
  [
    /No space left on device/,
    "disk_full",
    "The disk is full. Name a folder on another one with --dir, or make room.",
  ],
];

/** Some lines only repeat a real cause above them, so the first cause in the list counts. */
export function causeOfEnd(lines: readonly string[], { status, signal, wasReady }: ServerEnd): GameFailure {
  for (const [written, code, sentence] of causes) {
    const line = lines.find((each) => written.test(each));
    if (line !== undefined) return new GameFailure(code, `${sentence} It wrote: ${oneLine(line)}`);
  }
  if (signal === "SIGKILL")
    return new GameFailure(
      "out_of_memory",
      "The system killed the server, as it does when memory runs out. Give it less with --java-args, such as -Xmx2G.",
    );
  const how = signal === null ? `status ${status ?? "unknown"}` : signal;
  const last = lines.findLast((line) => line.trim() !== "");
  const wrote = last === undefined ? "It wrote nothing." : `Its last line: ${oneLine(last)}`;
  return wasReady
    ? new GameFailure("server_crashed", `The server ended during the tests (${how}). ${wrote}`)
    : new GameFailure("server_did_not_start", `The server ended at its start (${how}). ${wrote}`);
}
