import { setTimeout as after } from "node:timers/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { ServerProcess } from "../../agent/install/server-install.ts";
import { heapUsedOf, toMb } from "../../agent/process/jvm-figures.ts";
import { readPerfFile } from "../../agent/process/perf-file.ts";
import { headOrNull, readProcStatus, readStat, thisMachine } from "../../linux/proc.ts";
import { readJavaSoftware } from "../../agent/software/java-software.ts";
import { readServerSoftware } from "../../agent/software/server-software.ts";
import { readSettings } from "../../agent/software/settings.ts";
import type { ReportPayload } from "../../core/report/payload.ts";
import { gcFiguresIn, jvmFactsIn } from "./gc-figures.ts";
import { gcLogName } from "./java-options.ts";
import type { TickTally } from "./tick-tally.ts";

export type GameReportBlocks = Pick<
  z.input<typeof ReportPayload>,
  "server" | "jvm" | "config" | "ticks" | "gc" | "heap"
>;

/** For a run whose server did not start. */
export const noBlocks: GameReportBlocks = {
  server: {},
  jvm: null,
  config: null,
  ticks: null,
  gc: null,
  heap: null,
};

/** Read at most, bytes; a long run of a busy JVM logs less. */
const largestLog = 64 * 1024 * 1024;
const gcLines = async (folder: string): Promise<readonly string[]> =>
  ((await headOrNull(join(folder, gcLogName), largestLog)) ?? "").split("\n");

const betweenSamplesMs = 1000;

/** Follows the memory of the server's process until `stop`. */
export class MemoryRecord {
  readonly #pid: number;
  readonly #ending = new AbortController();
  readonly #used: number[] = [];
  #rssPeakKb: number | null = null;

  constructor(pid: number) {
    this.#pid = pid;
    void this.#follow();
  }

  get rssPeakMb(): number | null {
    return this.#rssPeakKb === null ? null : toMb(this.#rssPeakKb * 1024);
  }

  /** Heap in use, MB; null if the JVM does not show it. */
  get heapUsedMb(): { readonly mean: number; readonly most: number } | null {
    const used = this.#used;
    if (used.length === 0) return null;
    return {
      mean: toMb(used.reduce((sum, each) => sum + each, 0) / used.length),
      most: toMb(Math.max(...used)),
    };
  }

  stop(): void {
    this.#ending.abort();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    const startTicks = (await readStat(thisMachine, this.#pid))?.startTicks ?? 0;
    const process: ServerProcess = { pid: this.#pid, startTicks, java: true, arguments: [] };
    while (!signal.aborted) {
      const rssKb = (await readProcStatus(thisMachine, this.#pid))?.rssKb ?? 0;
      this.#rssPeakKb = Math.max(rssKb, this.#rssPeakKb ?? 0);
      const counters = await readPerfFile(thisMachine, process);
      const used = counters && heapUsedOf(counters);
      if (used !== null) this.#used.push(used);
      await after(betweenSamplesMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

export interface GameRecord {
  readonly folder: string;
  readonly pid: number;
  readonly jvmOptions: readonly string[];
  readonly tally: TickTally;
  readonly memory: MemoryRecord;
  readonly gcLinesBefore: number;
}

export const countGcLines = async (folder: string): Promise<number> => (await gcLines(folder)).length - 1;

/** Call it after the tests, while the server still runs. */
export async function gameBlocksOf(record: GameRecord): Promise<GameReportBlocks> {
  const { folder, pid, tally } = record;
  const lines = await gcLines(folder);
  const facts = jvmFactsIn(lines);
  const { gc, heap } = gcFiguresIn(lines.slice(record.gcLinesBefore));
  const [software, java, { settings }] = await Promise.all([
    readServerSoftware({ directory: folder, log: join(folder, "logs", "latest.log") }, []),
    readJavaSoftware({
      findProcess: async () => ({
        pid,
        startTicks: 0,
        java: true,
        arguments: ["java", ...record.jvmOptions],
      }),
    }),
    readSettings(folder, []),
  ]);
  const used = record.memory.heapUsedMb;
  const usedMost = Math.max(used?.most ?? 0, heap.used_max_mb ?? 0);
  return {
    server: {
      // No file of another server family was found.
      type: software.type ?? "vanilla",
      type_name: software.name,
      build: software.build,
      game_version: software.version,
      java_version: java.version,
      java_vendor: java.vendor,
      plugin_count: 0,
      mod_count: 0,
    },
    jvm: {
      collector: facts.collector ?? null,
      java_major: facts.javaMajor,
      heap_max_mb: facts.heapMaxMb,
      heap_initial_mb: facts.heapInitialMb,
      flags: java.flags,
    },
    // The command itself chose these three.
    config: { ...settings, view_distance: null, simulation_distance: null, activation_range_monsters: null },
    ticks: {
      count: tally.count,
      duration_seconds: tally.seconds,
      // A sprint keeps no rate, and its report has no single tick.
      mspt: { avg: tally.meanMs },
    },
    gc,
    heap: {
      ...heap,
      used_avg_mb: used?.mean ?? null,
      used_max_mb: usedMost === 0 ? null : usedMost,
      max_mb: facts.heapMaxMb,
    },
  };
}
