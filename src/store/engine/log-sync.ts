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
  /** Those who wait for the sync that runs; null while none does. */
  #running: readonly Waiting[] | null = null;
  #next: Waiting[] = [];
  #ended: (() => void) | null = null;

  constructor(databasePath: string, sync: typeof fdatasync) {
    this.#path = `${databasePath}-wal`;
    this.#sync = sync;
  }

  /** Resolves when the disk has what was committed before this call. Rejects with the system's error. */
  synced(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#next.push({ resolve, reject });
      if (this.#running === null) this.#start();
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
    try {
      // A connection in WAL mode has the log from its first read on, and no other one removes it meanwhile.
      this.#file ??= openSync(this.#path, "r+");
      this.#sync(this.#file, (error) => this.#end(members, error));
    } catch (error) {
      this.#end(members, error);
    }
  }

  /** A system reports a failed sync once: those who wait for the next one have failed too. */
  #end(members: readonly Waiting[], error: unknown): void {
    this.#running = null;
    const failed = error === null ? [] : [...members, ...this.#next];
    if (error !== null) this.#next = [];
    if (this.#next.length > 0) this.#start();
    if (error === null) for (const { resolve } of members) resolve();
    for (const { reject } of failed) reject(error);
    if (this.#running === null) this.#ended?.();
  }

  /** Closes the log after the last sync. */
  async close(): Promise<void> {
    if (this.#running !== null) await new Promise<void>((resolve) => (this.#ended = resolve));
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
