import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { builtFile } from "../program/program-files.ts";
import { TooHeavy, type Executor } from "./executor.ts";
import { outcomeValue, type TaskOutcome } from "./outcome.ts";
import type { DocumentJob } from "./tasks.ts";

export interface ThreadLimits {
  /** The most threads; they start when there is work. */
  readonly count: number;
  /** Per job, ms: ten times what the largest document takes on a free core. */
  readonly timeMs: number;
  /** Per thread, MiB: a profile of 100,000 frames and 250,000 nodes is read within 384. */
  readonly heapMib: number;
  /** An idle thread is ended after this time, ms, to free its heap. */
  readonly idleMs: number;
}

/** One core stays with the thread that answers calls. */
export const threadLimits: ThreadLimits = {
  count: Math.min(4, Math.max(1, availableParallelism() - 1)),
  timeMs: 30_000,
  heapMib: 512,
  idleMs: 60_000,
};

interface Thread {
  readonly worker: Worker;
  idle: NodeJS.Timeout | null;
}

/** Runs jobs in threads of this process, each of which runs the built `document-thread.ts`. */
export function workerThreads(limits: ThreadLimits = threadLimits): Executor {
  const free = new Set<Thread>();
  const all = new Set<Thread>();

  const start = (): Thread => {
    const worker = new Worker(builtFile("document-thread.js"), {
      // A thread that reads data of strangers gets no setting of the service.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMib },
    });
    const thread: Thread = { worker, idle: null };
    all.add(thread);
    worker.unref();
    worker.on("error", () => {});
    worker.once("exit", () => {
      all.delete(thread);
      leave(thread);
    });
    return thread;
  };

  const leave = (thread: Thread): void => {
    if (thread.idle !== null) clearTimeout(thread.idle);
    thread.idle = null;
    free.delete(thread);
  };

  const take = (): Thread => {
    const [thread = start()] = free;
    leave(thread);
    return thread;
  };

  const giveBack = (thread: Thread): void => {
    free.add(thread);
    const end = (): void => {
      leave(thread);
      void thread.worker.terminate();
    };
    thread.idle = setTimeout(end, limits.idleMs).unref();
  };

  return {
    slots: limits.count,
    run: async (job) => {
      const thread = take();
      const outcome = await outcomeFrom(thread.worker, job, limits.timeMs).catch(async (error: unknown) => {
        await thread.worker.terminate();
        throw error;
      });
      giveBack(thread);
      return outcomeValue(outcome);
    },
    close: async () => {
      await Promise.all([...all].map(({ worker }) => worker.terminate()));
    },
  };
}

/** Rejects if the thread ends without an answer, or takes too long. */
function outcomeFrom(worker: Worker, job: DocumentJob, timeMs: number): Promise<TaskOutcome> {
  return new Promise<TaskOutcome>((resolve, reject) => {
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      worker.off("message", answered).off("messageerror", failed).off("error", failed).off("exit", ended);
      worker.unref();
      settle();
    };
    const answered = (outcome: TaskOutcome): void => done(() => resolve(outcome));
    const failed = (error: Error & { code?: string }): void =>
      done(() => reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new TooHeavy("memory") : error));
    const ended = (): void => done(() => reject(new Error("A thread that reads documents ended.")));
    const timer = setTimeout(() => done(() => reject(new TooHeavy("time"))), timeMs);
    worker.on("message", answered).on("messageerror", failed).on("error", failed).on("exit", ended);
    worker.ref();
    worker.postMessage(job, ownBuffers(job.input));
  });
}

/** Buffers that can be moved instead of copied: those that hold the upload's bytes and nothing else. */
function ownBuffers(input: unknown): ArrayBuffer[] {
  const bytes = (input as { readonly sent?: { readonly bytes: Uint8Array } }).sent?.bytes;
  return bytes?.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? [bytes.buffer]
    : [];
}
