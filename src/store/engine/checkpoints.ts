import { Worker } from "node:worker_threads";
import { builtFile } from "../../program/program-files.ts";

/**
 * Commits between two checkpoints. A commit of a busy service writes 10 to 40 pages of 4 KiB, so a checkpoint
 * moves about a thousand pages, which takes little time.
 */
const commitsBetween = 64;

/** After this time without work the thread ends and frees its memory, ms. */
const defaultIdleMs = 60_000;

/** The thread runs little more than the SQLite library. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, codeRangeSizeMb: 8 };

const newThreadOf = (databasePath: string): Worker =>
  new Worker(builtFile("checkpoint-thread.js"), {
    workerData: databasePath,
    env: {},
    execArgv: [],
    resourceLimits,
  });

/**
 * Moves the write-ahead log into the file in a worker thread, which starts when first needed. Each move syncs
 * the file, which would block the main thread for 5 to 40 ms.
 */
export class Checkpoints {
  readonly #newThread: () => Worker;
  readonly #idleMs: number;
  #thread: Worker | null = null;
  #commits = 0;
  #isMoving = false;
  #idle: NodeJS.Timeout | undefined;
  /** Resolves when every thread that was told to end has exited. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(databasePath: string, idleMs = defaultIdleMs, newThread = newThreadOf) {
    this.#newThread = () => newThread(databasePath);
    this.#idleMs = idleMs;
  }

  get hasThread(): boolean {
    return this.#thread !== null;
  }

  committed(): void {
    this.#commits += 1;
    if (this.#commits < commitsBetween || this.#isMoving) return;
    this.#commits = 0;
    clearTimeout(this.#idle);
    try {
      this.#thread ??= this.#start();
    } catch {
      // The system allows no more threads now. SQLite later moves the log in a commit (`mostLogPages`).
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
    // A thread that failed is not restarted; SQLite moves the log in commits instead (`mostLogPages`).
    thread.on("error", () => {});
    return thread;
  }

  /** The thread finishes a move in progress before it ends. */
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

  /** Waits for the thread's end: SQLite removes the log only when the last connection closes. */
  async close(): Promise<void> {
    this.#end();
    await this.#ended;
  }
}
