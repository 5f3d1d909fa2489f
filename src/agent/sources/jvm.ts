import { secondMs, type Instant } from "../../core/time.ts";
import { askJvm, type DiagnosticCommand } from "../process/attach.ts";
import { heapMaxIn, heapUsedIn, liveSetIn } from "../process/jvm-answers.ts";
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
}

/**
 * Heap and collections from the JVM's shared counters; figures that they lack come from commands over its
 * attach socket. Stop-the-world time is since the last reading.
 */
export function jvmSource(
  install: Pick<ServerInstall, "findProcess">,
  root: MachineRoot = thisMachine,
): Source {
  let memory: Memory | null = null;

  const read = async (_now: Instant, signal: AbortSignal): Promise<Reading> => {
    const server = await install.findProcess();
    if (server === null) throw new Error("The server's process is not running.");
    if (!server.java) throw new Error("The server is not a JVM that this user may read.");
    if (memory === null || !isSame(memory.server, server)) {
      memory = { server, stoppedMs: null, maxBytes: null };
    }
    const run = commandRunner(root, server, signal);
    const counters = await readPerfFile(root, server);
    const used = (counters && heapUsedOf(counters)) ?? heapUsedIn(await run("GC.heap_info"));
    memory.maxBytes ??= (counters && heapMaxOf(counters)) ?? (await figureOf(run, "VM.flags", heapMaxIn));
    const live = await liveSet(counters, run);
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
    if (!server.java) {
      const says = "The process is not a JVM of this user; run the agent as the server's user.";
      return [{ able: false, about: "JVM", says }];
    }
    const run = commandRunner(root, server, signal);
    const counters = await readPerfFile(root, server);
    const lacks = counters === null || heapUsedOf(counters) === null;
    const refusal = lacks ? await run("GC.heap_info").then(() => null, oneLine) : null;
    const live = refusal === null ? await liveSet(counters, run) : null;
    return findingsOf(refusal, live !== null, counters);
  };

  return { name: "JVM", check, read, close: async () => {} };
}

const isSame = (a: ServerProcess, b: ServerProcess): boolean =>
  a.pid === b.pid && a.startTicks === b.startTicks;

type RunCommand = (command: DiagnosticCommand) => Promise<string>;

function commandRunner(root: MachineRoot, server: ServerProcess, signal: AbortSignal): RunCommand {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  return (command) => askJvm(root, server, command, { signal: patience, most: longestAnswer });
}

/** Null if the command fails, because an older JVM does not know every command. */
const figureOf = (
  run: RunCommand,
  command: DiagnosticCommand,
  figure: (answer: string) => number | null,
): Promise<number | null> => run(command).then(figure, () => null);

async function liveSet(counters: PerfCounters | null, run: RunCommand): Promise<number | null> {
  const counted = counters && liveSetOf(counters);
  // Shenandoah writes no history of its collections.
  if (counted !== null || (counters && collectorOf(counters) === "Shenandoah")) return counted;
  return figureOf(run, "VM.events log=gc", liveSetIn);
}

const oneLine = (error: unknown): string => (error instanceof Error ? error.message : "It does not answer.");

const gcLogOption = "-Xlog:gc*:file=logs/gc.log:time,uptime:filecount=5,filesize=10M";

function findingsOf(
  refusal: string | null,
  hasLive: boolean,
  counters: PerfCounters | null,
): readonly Finding[] {
  if (refusal !== null) return [{ able: false, about: "JVM", says: refusal }];
  const stops = counters !== null && stoppedMsOf(counters) !== null;
  const sharing = counters === null ? ", or without -XX:+PerfDisableSharedMem" : "";
  return [
    { able: true, about: "heap of the JVM", says: "Heap in use and its limit can be read." },
    {
      able: hasLive,
      about: "live set",
      says: hasLive
        ? "The heap right after a collection can be read."
        : `No garbage collection is known yet. Some collectors write only to a GC log: start the server with ${gcLogOption}`,
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
