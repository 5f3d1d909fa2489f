import { secondMs, type Instant } from "../../core/time.ts";
import { askJvm } from "../attach.ts";
import {
  collectorOf,
  heapMaxOf,
  heapUsedIn,
  heapUsedOf,
  liveSetOf,
  stoppedMsOf,
  toMb,
} from "../jvm-figures.ts";
import { parsePrintedCounters, type PerfCounters } from "../perf-counters.ts";
import { readPerfFile } from "../perf-file.ts";
import type { ServerPlace, ServerProcess } from "../place.ts";
import { thisMachine, type MachineRoot } from "../proc.ts";
import type { Finding, Reading, Source } from "../source.ts";

/** A JVM answers in milliseconds; one that is stopped or starved must not hold a sample up. */
const patienceMs = 10 * secondMs;

/** Counters are 30 KB as text, bytes. */
const longestAnswer = 1024 * 1024;

interface Seen {
  readonly server: ServerProcess;
  readonly stoppedMs: number;
}

/**
 * Heap and collections of the server's JVM: the counters it shares in a file, or else asked of it over its attach socket.
 * Stop-the-world time is what passed since the reading before; the first one of a process has none.
 */
export function jvmSource(
  place: Pick<ServerPlace, "findProcess">,
  root: MachineRoot = thisMachine,
): Source {
  let before: Seen | null = null;

  const read = async (_now: Instant, signal: AbortSignal): Promise<Reading> => {
    const server = await place.findProcess();
    if (server === null || !server.java) {
      before = null;
      if (server === null) throw new Error("The server's process is not running.");
      throw new Error("The server is no JVM that this user may look into.");
    }
    const jvm = jvmOf(root, server, signal);
    const counters = await jvm.counters();
    const used = heapUsedOf(counters) ?? (await jvm.heapUsed());
    const [max, live, stoppedMs] = [heapMaxOf(counters), liveSetOf(counters), stoppedMsOf(counters)];
    const last = isSame(before?.server, server) ? before : null;
    before = stoppedMs === null ? null : { server, stoppedMs };
    const stopped = last === null || stoppedMs === null ? null : stoppedMs - last.stoppedMs;
    return {
      measured: {
        ...(used !== null && { ram_used_mb: toMb(used) }),
        ...(max !== null && { ram_max_mb: toMb(max) }),
        ...(live !== null && { heap_after_gc_mb: toMb(live) }),
        ...(stopped !== null && stopped >= 0 && { gc_stw_ms: Math.round(stopped * 1000) / 1000 }),
      },
    };
  };

  const check = async (signal: AbortSignal): Promise<readonly Finding[]> => {
    const server = await place.findProcess();
    if (server === null) return [];
    const about = "JVM";
    if (!server.java) {
      return [{ able: false, about, says: "The process is no JVM of this user; run the agent as the server's user." }];
    }
    const jvm = jvmOf(root, server, signal);
    try {
      return findingsOf(await jvm.counters());
    } catch (error) {
      return [{ able: false, about, says: error instanceof Error ? error.message : "The JVM does not answer." }];
    }
  };

  return { name: "JVM", check, read, close: async () => {} };
}

const isSame = (a: ServerProcess | undefined, b: ServerProcess): boolean =>
  a?.pid === b.pid && a.startTicks === b.startTicks;

interface Jvm {
  counters(): Promise<PerfCounters>;
  /** Null when it may not be asked. */
  heapUsed(): Promise<number | null>;
}

function jvmOf(root: MachineRoot, server: ServerProcess, signal: AbortSignal): Jvm {
  const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]), most: longestAnswer };
  return {
    counters: async () =>
      (await readPerfFile(root, server)) ??
      parsePrintedCounters(await askJvm(root, server, "PerfCounter.print", options)),
    heapUsed: () =>
      askJvm(root, server, "GC.heap_info", options).then(heapUsedIn, () => null),
  };
}

const unifiedLog = "-Xlog:gc*:file=logs/gc.log:time,uptime:filecount=5,filesize=10M";

/** What these counters can tell, and what takes a GC log. */
function findingsOf(counters: PerfCounters): readonly Finding[] {
  const collector = collectorOf(counters);
  const heap: Finding = { able: true, about: "heap of the JVM", says: "Heap used and its limit can be read." };
  if (stoppedMsOf(counters) === null || collector === "Z" || collector === "Shenandoah") {
    const lacks = collector === "Z" ? "The live set" : "The live set and the pauses";
    return [
      heap,
      {
        able: false,
        about: "garbage collections",
        says: `${lacks} of this collector can be read from a GC log only; start the server with ${unifiedLog}`,
      },
    ];
  }
  return [heap, { able: true, about: "garbage collections", says: "Live set and pauses can be read." }];
}
