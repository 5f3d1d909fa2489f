import { isAbsolute, resolve } from "node:path";
import { skipped } from "./game-failure.ts";

/** In the server's folder. */
export const gcLogName = "gc.log";

/** Options that write files, or load agents that may: the tests must change no file of the owner. */
const writesFiles =
  /^-(?:Xlog|Xloggc|verbose:gc|javaagent|agentlib|agentpath|XX:(?:HeapDumpPath|ErrorFile|LogFile|StartFlightRecording|\+HeapDumpOnOutOfMemoryError|FlightRecorderOptions|GCLogFileSize|\+UseGCLogFileRotation|VMLogFile|SharedArchiveFile|ArchiveClassesAtExit))/;

const heapOption = /^-(?:Xmx|XX:MaxHeapSize=)(\d{1,18})([kmgt]?)$/i;
const unitBytes: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Bytes; the last of several options counts. Null if no option gives a heap. */
export function largestHeap(options: readonly string[]): number | null {
  const [, amount, unit = ""] = options.map((each) => heapOption.exec(each)).findLast((found) => found) ?? [];
  return amount === undefined ? null : Number(amount) * (unitBytes[unit.toLowerCase()] ?? 1);
}

/** Adds -Xmx if the options name no heap. Throws a GameFailure if they name more than `mostBytes`. */
export function withinHeap(options: readonly string[], mostBytes: number | null): readonly string[] {
  if (mostBytes === null) return options;
  const most = `${Math.floor(mostBytes / 2 ** 20)}m`;
  const heap = largestHeap(options);
  if (heap === null) return [...options, `-Xmx${most}`];
  if (heap <= mostBytes) return options;
  throw skipped(
    "memory_budget_refused",
    `The heap of --java-args is more than half of the free memory, and your server may run beside it. Give at most -Xmx${most}.`,
  );
}

export const javaArguments = (jar: string, options: readonly string[]): readonly string[] => [
  ...options.filter((option) => !writesFiles.test(option)),
  `-Xlog:gc*:file=${gcLogName}:uptime,level,tags:filecount=0`,
  "-jar",
  jar,
  "nogui",
];

/** A relative path belongs to the folder where the command runs, not to the server's. */
export const javaProgram = (java: string): string =>
  java.includes("/") && !isAbsolute(java) ? resolve(java) : java;
