import { secondMs, type Instant } from "../../core/time.ts";
import { askJvm, RefusedCommand, type DiagnosticCommand } from "../process/attach.ts";
import {
  collectionLogIn,
  heapMaxIn,
  heapUsedIn,
  liveSetIn,
  type CollectionLog,
} from "../process/jvm-answers.ts";
import { collectorOf, heapMaxOf, heapUsedOf, liveSetOf, stoppedMsOf, toMb } from "../process/jvm-figures.ts";
import type { PerfCounters } from "../process/perf-counters.ts";
import { readPerfFile } from "../process/perf-file.ts";
import type { ServerInstall, ServerProcess } from "../install/server-install.ts";
import { thisMachine, type MachineRoot } from "../../linux/proc.ts";
import type { Finding, Reading, Source } from "./source.ts";

/** For all answers of one reading, ms: a stopped or starved JVM must not delay a sample. */
const patienceMs = 10 * secondMs;

/** Bytes; the last collections are 20 KB of text. */
const longestAnswer = 1024 * 1024;

/** Kept from the last reading of the same process. */
interface Memory {
  readonly server: ServerProcess;
  stoppedMs: number | null;
  maxBytes: number | null;
  /** Null if the JVM keeps no log of its collections, undefined before it was asked. */
  collectionLog: CollectionLog | null | undefined;
  /** Commands that this process does not take: they are not sent to it again. */
  readonly refused: Map<DiagnosticCommand, RefusedCommand>;
}

const remembered = (server: ServerProcess): Memory => ({
  server,
  stoppedMs: null,
  maxBytes: null,
  collectionLog: undefined,
  refused: new Map(),
});

/**
 * Heap and collections from the JVM's shared counters; figures that they lack come from commands over its
 * attach socket. Stop-the-world time is since the last reading.
 */
export function jvmSource(
  install: Pick<ServerInstall, "findProcess" | "kind">,
  root: MachineRoot = thisMachine,
): Source {
  let memory: Memory | null = null;

  const read = async (_now: Instant, signal: AbortSignal): Promise<Reading> => {
    const server = await install.findProcess();
    if (server === null) throw new Error("The server's process is not running.");
    if (!server.java) throw new Error("The server is not a JVM that this user may read.");
    if (memory === null || !isSame(memory.server, server)) memory = remembered(server);
    const run = commandRunner(root, memory, signal);
    const counters = await readPerfFile(root, server);
    const used = (counters && heapUsedOf(counters)) ?? heapUsedIn(await run("GC.heap_info"));
    memory.maxBytes ??= (counters && heapMaxOf(counters)) ?? (await figureOf(run, "VM.flags", heapMaxIn));
    const live = await liveSet(counters, memory, run);
    const stoppedMs = counters && stoppedMsOf(counters);
    const passedMs = stoppedMs === null || memory.stoppedMs === null ? null : stoppedMs - memory.stoppedMs;
    memory.stoppedMs = stoppedMs;
    return {
      measured: {
        ...(used !== null && { ram_used_mb: toMb(used) }),
        ...(memory.maxBytes !== null && { ram_max_mb: toMb(memory.maxBytes) }),
        ...(live !== null && { heap_after_gc_mb: toMb(live) }),
        ...(passedMs !== null && passedMs >= 0 && { gc_stw_ms: Math.round(passedMs * 1000) / 1000 }),
      },
    };
  };

  const check = async (signal: AbortSignal): Promise<readonly Finding[]> => {
    const server = await install.findProcess();
    if (server === null) return [];
    if (!install.kind.isJava) {
      const says = `${install.kind.name ?? "The server"} is no Java program: heap, live set and collections are not measured.`;
      return [{ able: false, about: "JVM", says }];
    }
    if (!server.java) {
      const says = "The process is not a JVM of this user; run the agent as the server's user.";
      return [{ able: false, about: "JVM", says }];
    }
    const asked = remembered(server);
    const run = commandRunner(root, asked, signal);
    const counters = await readPerfFile(root, server);
    const lacks = counters === null || heapUsedOf(counters) === null;
    const refusal = lacks ? await run("GC.heap_info").then(() => null, oneLine) : null;
    const live = refusal === null ? await liveSet(counters, asked, run) : null;
    const why = live === null ? whyNoLiveSet(counters, asked) : null;
    return findingsOf(refusal, why, counters);
  };

  return { name: "JVM", check, read, close: async () => {} };
}

const isSame = (a: ServerProcess, b: ServerProcess): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;

type RunCommand = (command: DiagnosticCommand) => Promise<string>;

function commandRunner(root: MachineRoot, { server, refused }: Memory, signal: AbortSignal): RunCommand {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  return async (command) => {
    const refusal = refused.get(command);
    if (refusal !== undefined) throw refusal;
    try {
      return await askJvm(root, server, command, { signal: patience, most: longestAnswer });
    } catch (error) {
      if (error instanceof RefusedCommand) refused.set(command, error);
      throw error;
    }
  };
}

/** Null if the command fails, because an older JVM does not know every command. */
const figureOf = (
  run: RunCommand,
  command: DiagnosticCommand,
  figure: (answer: string) => number | null,
): Promise<number | null> => run(command).then(figure, () => null);

/** Shenandoah writes no history of its collections. */
const isShenandoah = (counters: PerfCounters | null): boolean =>
  counters !== null && collectorOf(counters) === "Shenandoah";

async function liveSet(
  counters: PerfCounters | null,
  memory: Memory,
  run: RunCommand,
): Promise<number | null> {
  const counted = counters && liveSetOf(counters);
  if (counted !== null || isShenandoah(counters)) return counted;
  // A JVM that is only busy now is asked again; one that refuses has no such command.
  if (memory.collectionLog === undefined) {
    memory.collectionLog = await run("VM.events log=list").then(collectionLogIn, (error: unknown) =>
      error instanceof RefusedCommand ? null : undefined,
    );
  }
  const log = memory.collectionLog ?? null;
  return log === null ? null : figureOf(run, `VM.events log=${log}`, liveSetIn);
}

function whyNoLiveSet(counters: PerfCounters | null, { collectionLog }: Memory): string {
  if (isShenandoah(counters)) return "Shenandoah keeps no history of its collections.";
  if (collectionLog === null) return "This JVM keeps no history of its collections.";
  if (collectionLog === undefined)
    return "The JVM did not say whether it keeps a history of its collections.";
  return "The JVM has not collected garbage yet, or its collector writes no history.";
}

const oneLine = (error: unknown): string => (error instanceof Error ? error.message : "It does not answer.");

const gcLogOption = "-Xlog:gc*:file=logs/gc.log:time,uptime:filecount=5,filesize=10M";

function findingsOf(
  refusal: string | null,
  whyNoLive: string | null,
  counters: PerfCounters | null,
): readonly Finding[] {
  if (refusal !== null) return [{ able: false, about: "JVM", says: refusal }];
  const stops = counters !== null && stoppedMsOf(counters) !== null;
  const sharing = counters === null ? ", or without -XX:+PerfDisableSharedMem" : "";
  return [
    { able: true, about: "heap of the JVM", says: "Heap in use and its limit can be read." },
    {
      able: whyNoLive === null,
      about: "live set",
      says:
        whyNoLive === null
          ? "The heap right after a collection can be read."
          : `${whyNoLive} A GC log shows it: start the server with ${gcLogOption}`,
    },
    {
      able: stops,
      about: "GC pauses",
      says: stops
        ? "Stop-the-world time can be read."
        : `Pauses can be read from a GC log: start the server with ${gcLogOption}${sharing}`,
    },
  ];
}
