import type Sqlite from "better-sqlite3";
import type { AnyQueuedWrite } from "./queued-write.ts";

/** SQLite may block the thread this long for a lock, ms; the rest of the wait passes between two attempts. */
const blockedMs = 10;

export class LockPatience {
  readonly #db: Sqlite.Database;
  readonly #busyTimeoutMs: number;
  /** Since when another process has blocked writes, and when that was last seen; null if it does not. */
  #locked: { readonly since: number; met: number } | null = null;

  constructor(db: Sqlite.Database, busyTimeoutMs: number) {
    this.#db = db;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  /**
   * Notes a lock of another process, and returns which writes go on waiting: each for the time-out since it
   * was queued. After a whole time-out of locking, relaxed writes and the thread wait no longer, so that a
   * read that cannot be counted is answered at once.
   */
  met(): (member: AnyQueuedWrite) => boolean {
    const now = performance.now();
    // If the lock was last seen longer ago than the time-out, it was released in between.
    if (this.#locked === null || now - this.#locked.met > this.#busyTimeoutMs)
      this.#locked = { since: now, met: now };
    this.#locked.met = now;
    const isLong = now - this.#locked.since >= this.#busyTimeoutMs;
    this.#blockFor(isLong ? 0 : blockedMs);
    return ({ since, durability }) =>
      now - since < this.#busyTimeoutMs && !(isLong && durability === "relaxed");
  }

  /** Notes that a write succeeded. */
  ended(): void {
    if (this.#locked !== null) this.serve();
    this.#locked = null;
  }

  /** From now on the thread blocks only briefly for a lock; writes wait in the queue. */
  serve(): void {
    this.#blockFor(blockedMs);
  }

  #blockFor(ms: number): void {
    this.#db.pragma(`busy_timeout = ${Math.min(ms, this.#busyTimeoutMs)}`);
  }
}
