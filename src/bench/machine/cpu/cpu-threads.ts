import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { builtFile } from "../../../program/program-files.ts";
import { HostRefusal } from "../host-refusal.ts";

/** `shared` is the memory of all threads. */
export interface CpuThreadJob {
  readonly index: number;
  readonly sliceCount: number;
  readonly sliceMs: number;
  readonly warmUpMs: number;
  readonly shared: SharedArrayBuffer;
}

const headBytes = 32;

/** The shared memory: flags, the start by the system's clock, and the batches of each thread and slice. */
export const cpuThreadCells = (shared: SharedArrayBuffer, sliceCount: number) => ({
  ready: new Int32Array(shared, 0, 1),
  go: new Int32Array(shared, 4, 1),
  wrong: new Int32Array(shared, 8, 1),
  from: new Float64Array(shared, 16, 1),
  counts: new Float64Array(
    shared,
    headBytes,
    ((shared.byteLength - headBytes) / 8 / sliceCount) * sliceCount,
  ),
});

export interface CpuThreads {
  readonly started: number;
  /** Resolves when slice `slice` has begun in all threads. */
  until(slice: number): Promise<void>;
  /** Resolves after the threads' end. `batches`: by slice; `wrong`: batches with a wrong result. */
  end(): Promise<{ readonly batches: readonly number[]; readonly wrong: number }>;
}

interface Plan {
  readonly threads: number;
  readonly sliceCount: number;
  readonly sliceMs: number;
  readonly warmUpMs: number;
}

/** A thread needs little more than its stack and the kernel's code. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 8 };

/** Time for threads to warm up beside one another, ms. */
const patienceMs = 30_000;

const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Lets all threads that started begin together. Throws if none started. */
export async function startCpuThreads({ threads, sliceCount, sliceMs, warmUpMs }: Plan): Promise<CpuThreads> {
  const shared = new SharedArrayBuffer(headBytes + threads * sliceCount * 8);
  const cells = cpuThreadCells(shared, sliceCount);
  const exits: Promise<unknown>[] = [];
  let failed = 0;
  for (let index = 0; index < threads; index += 1) {
    const workerData: CpuThreadJob = { index, sliceCount, sliceMs, warmUpMs, shared };
    const worker = new Worker(builtFile("cpu-thread.js"), {
      workerData,
      execArgv: [],
      resourceLimits,
    });
    worker.once("error", () => (failed += 1));
    exits.push(once(worker, "exit").catch(() => once(worker, "exit")));
  }
  const deadline = clockMs() + patienceMs + warmUpMs;
  while (Atomics.load(cells.ready, 0) + failed < threads && clockMs() < deadline) await setTimeout(5);
  const started = Atomics.load(cells.ready, 0);
  if (started === 0) throw new HostRefusal("thread_limit_reached");
  const from = clockMs();
  cells.from[0] = from;
  Atomics.store(cells.go, 0, 1);
  Atomics.notify(cells.go, 0);

  return {
    started,
    until: async (slice) => {
      await setTimeout(Math.max(0, from + slice * sliceMs - clockMs()));
    },
    end: async () => {
      await Promise.all(exits);
      const batches = Array.from({ length: sliceCount }, (_, slice) =>
        Array.from({ length: threads }, (_, index) => cells.counts[index * sliceCount + slice] ?? 0).reduce(
          (sum, count) => sum + count,
          0,
        ),
      );
      return { batches, wrong: Atomics.load(cells.wrong, 0) };
    },
  };
}
