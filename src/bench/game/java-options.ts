import { isAbsolute, resolve } from "node:path";

/** The JVM's log of collections, in the server's folder. */
export const gcLogName = "gc.log";

/**
 * Options that write files: their paths are the owner's, and the game tests change nothing of his. An agent is a program
 * of its own that may do the same.
 */
const writesFiles =
  /^-(?:Xlog|Xloggc|verbose:gc|javaagent|agentlib|agentpath|XX:(?:HeapDumpPath|ErrorFile|LogFile|StartFlightRecording|\+HeapDumpOnOutOfMemoryError|FlightRecorderOptions|GCLogFileSize|\+UseGCLogFileRotation|VMLogFile|SharedArchiveFile|ArchiveClassesAtExit))/;

/** The arguments of the Java that starts the owner's jar. */
export const javaArguments = (jar: string, options: readonly string[]): readonly string[] => [
  ...options.filter((option) => !writesFiles.test(option)),
  `-Xlog:gc*:file=${gcLogName}:uptime,level,tags:filecount=0`,
  "-jar",
  jar,
  "nogui",
];

/** A Java that is named by a path belongs to the folder where the command runs, not to the server's. */
export const javaProgram = (java: string): string =>
  java.includes("/") && !isAbsolute(java) ? resolve(java) : java;
