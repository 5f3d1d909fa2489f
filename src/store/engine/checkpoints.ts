import { Worker } from "node:worker_threads";
import { builtFile } from "../../program/program-files.ts";

/**
 * So many commits after the last checkpoint there is the next one. A commit of a busy service has 10 to 40 pages of
 * 4 KiB, and a thousand pages are soon moved.
 */
const commitsBetween = 64;

/** A thread without work for so long is ended, ms: its memory is given back. */
const defaultIdleMs = 60_000;

/** The thread needs little more than the library of SQLite. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 8 };

const newThreadOf = (databasePath: string): Worker =>
  new Worker(builtFile("checkpoint-thread.js"), {
    workerData: databasePath,
    env: {},
    execArgv: [],
    resourceLimits,
  });

/**
 * Moves the write-ahead log into the file in a thread of its own, which is started when there is something to move: the
 * file is synced with each move, for which the thread that answers calls would stand still for 5 to 40 ms.
 */
export class Checkpoints {
  readonly #newThread: () => Worker;
  readonly #idleMs: number;
  #thread: Worker | null = null;
  #commits = 0;
  #isMoving = false;
  #idle: NodeJS.Timeout | undefined;
  /** Resolves when the threads that have to end have ended. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(databasePath: string, idleMs = defaultIdleMs, newThread = newThreadOf) {
    this.#newThread = () => newThread(databasePath);
    this.#idleMs = idleMs;
  }

  get hasThread(): boolean {
    return this.#thread !== null;
  }

  /** Counts a commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits < commitsBetween || this.#isMoving) return;
    this.#commits = 0;
    clearTimeout(this.#idle);
    try {
      this.#thread ??= this.#start();
    } catch {
      // The system allows no further thread now. Commits move the log, once it has many more pages.
      return;
    }
    this.#isMoving = true;
    this.#thread.postMessage("move", []);
  }

  #start(): Worker {
    const thread = this.#newThread();
    thread.unref();
    thread.on("message", () => {
      this.#isMoving = false;
      if (this.#thread === thread) this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref();
    });
    // It is not started again: commits move the log.
    thread.on("error", () => {});
    return thread;
  }

  /** Ends the thread after its last move. */
  #end(): void {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    if (thread === null || thread.threadId === -1) return;
    thread.ref();
    const exit = new Promise((resolve) => thread.once("exit", resolve));
    this.#ended = Promise.all([this.#ended, exit]);
    thread.postMessage("end", []);
  }

  /** Waits for the end of the thread, so that the last connection that is closed removes the log. */
  async close(): Promise<void> {
    this.#end();
    await this.#ended;
  }
}
