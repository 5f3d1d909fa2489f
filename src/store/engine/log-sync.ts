import { closeSync, openSync, type fdatasync } from "node:fs";

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Syncs the write-ahead log to disk outside the thread. SQLite itself (`synchronous = FULL`) would block the
 * thread at every commit, usually for 0.3 ms and up to 50 ms. SQLite has no file lock on the log, so opening
 * and closing it here drops none.
 */
export class LogSync {
  readonly #path: string;
  readonly #sync: typeof fdatasync;
  #file: number | null = null;
  /** Whether something was committed since the last sync began. */
  #isBehind = false;
  /** Callers that wait for the running sync; null if no sync is running. */
  #running: Waiting[] | null = null;
  #next: Waiting[] = [];

  constructor(databasePath: string, sync: typeof fdatasync) {
    this.#path = `${databasePath}-wal`;
    this.#sync = sync;
  }

  /** Notes that a commit wrote to the log. */
  written(): void {
    this.#isBehind = true;
  }

  /** Resolves when everything committed before this call is on disk. Rejects with the system's error. */
  synced(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isBehind) this.#next.push({ resolve, reject });
      else if (this.#running !== null) this.#running.push({ resolve, reject });
      else resolve();
      if (this.#isBehind && this.#running === null) this.#start();
    });
  }

  get waiting(): number {
    return (this.#running?.length ?? 0) + this.#next.length;
  }

  /** A commit during a running sync may not be covered by it, and waits for the next sync. */
  #start(): void {
    const members = this.#next;
    this.#next = [];
    this.#running = members;
    this.#isBehind = false;
    try {
      // In WAL mode the log exists from the first read on, and no other connection removes it meanwhile.
      this.#file ??= openSync(this.#path, "r+");
      this.#sync(this.#file, (error) => this.#end(members, error));
    } catch (error) {
      this.#end(members, error);
    }
  }

  /** The system reports a failed sync only once, so callers that wait for the next sync fail as well. */
  #end(members: Waiting[], error: unknown): void {
    this.#running = null;
    const failed = error === null ? [] : [...members, ...this.#next];
    if (error !== null) this.#next = [];
    if (this.#next.length > 0) this.#start();
    if (error === null) for (const { resolve } of members) resolve();
    for (const { reject } of failed) reject(error);
  }

  async close(): Promise<void> {
    // The waiting callers get the error themselves.
    await this.synced().catch(() => {});
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
