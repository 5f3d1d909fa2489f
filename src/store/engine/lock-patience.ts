import type Sqlite from "better-sqlite3";
import type { AnyQueuedWrite } from "./queued-write.ts";

/** How much of the wait for a lock SQLite may spend inside the thread at a time; the rest is between two attempts, ms. */
const blockedMs = 10;

/** How long writes wait for the lock of another process. */
export class LockPatience {
  readonly #db: Sqlite.Database;
  readonly #busyTimeoutMs: number;
  /** Since when another process keeps writes from beginning, and when it was last met; null while none does. */
  #locked: { readonly since: number; met: number } | null = null;

  constructor(db: Sqlite.Database, busyTimeoutMs: number) {
    this.#db = db;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /**
   * Which writes go on waiting for another process's lock: each for its own time. Once the lock has been held for all
   * of that, counters wait no longer, nor does the thread: a read that cannot be counted is to be answered at once.
   */
  met(): (member: AnyQueuedWrite) => boolean {
    const now = performance.now();
    // Between two locks that were met so long after each other there was a time without.
    if (this.#locked === null || now - this.#locked.met > this.#busyTimeoutMs)
      this.#locked = { since: now, met: now };
    this.#locked.met = now;
    const isLong = now - this.#locked.since >= this.#busyTimeoutMs;
    this.#blockFor(isLong ? 0 : blockedMs);
    return ({ since, durability }) =>
      now - since < this.#busyTimeoutMs && !(isLong && durability === "relaxed");
  }

  /** A write went through. */
  ended(): void {
    if (this.#locked !== null) this.serve();
    this.#locked = null;
  }

  /** From here on the thread is never blocked for long: who waits for a lock waits in the queue. */
  serve(): void {
    this.#blockFor(blockedMs);
  }

  #blockFor(ms: number): void {
    this.#db.pragma(`busy_timeout = ${Math.min(ms, this.#busyTimeoutMs)}`);
  }
}
