import { closeSync, openSync, type fdatasync } from "node:fs";

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Brings the write-ahead log of an SQLite file to the disk outside the thread. SQLite itself (`synchronous = FULL`) holds
 * the thread at every commit until the disk has it: 0.3 ms mostly, and up to 50 ms. The log has no lock of the system, so
 * that opening and closing it here takes none from SQLite.
 */
export class LogSync {
  readonly #path: string;
  readonly #sync: typeof fdatasync;
  #file: number | null = null;
  /** Whether something was committed since the last sync began. */
  #isBehind = false;
  /** Those who wait for the sync that runs; null while none does. */
  #running: Waiting[] | null = null;
  #next: Waiting[] = [];

  constructor(databasePath: string, sync: typeof fdatasync) {
    this.#path = `${databasePath}-wal`;
    this.#sync = sync;
  }

  /** A commit wrote something. */
  written(): void {
    this.#isBehind = true;
  }

  /** Resolves when the disk has what was committed before this call. Rejects with the system's error. */
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

  /** What is committed while a sync runs may have missed it, and waits for the next one. */
  #start(): void {
    const members = this.#next;
    this.#next = [];
    this.#running = members;
    this.#isBehind = false;
    try {
      // A connection in WAL mode has the log from its first read on, and no other one removes it meanwhile.
      this.#file ??= openSync(this.#path, "r+");
      this.#sync(this.#file, (error) => this.#end(members, error));
    } catch (error) {
      this.#end(members, error);
    }
  }

  /** A system reports a failed sync once: those who wait for the next one have failed too. */
  #end(members: Waiting[], error: unknown): void {
    this.#running = null;
    const failed = error === null ? [] : [...members, ...this.#next];
    if (error !== null) this.#next = [];
    if (this.#next.length > 0) this.#start();
    if (error === null) for (const { resolve } of members) resolve();
    for (const { reject } of failed) reject(error);
  }

  /** Closes the log after the last sync. */
  async close(): Promise<void> {
    // Those who wait have its error.
    await this.synced().catch(() => {});
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
