import { join } from "node:path";
import { dayMs } from "../../core/time.ts";
import { Troubles } from "../troubles.ts";
import { gapOf, type Entry, type QueueGap } from "./queue-file.ts";
import { QueueFolder, waitingIn, type FolderLimits, type Part } from "./queue-folder.ts";
import { GapFile } from "./queue-gap.ts";
import { steadyNow, type Steady } from "./steady.ts";

export interface QueueLimits extends FolderLimits {
  /** The most entries in memory while the disk takes none. */
  readonly held: number;
}

const gapName = "gap.json";

/** A week at a sample every 30 s is 12 MB. */
export const queueLimits: QueueLimits = {
  ageMs: 7 * dayMs,
  bytes: 16 * 1024 * 1024,
  fileBytes: 256 * 1024,
  held: 3000,
};

export interface QueueParts {
  readonly limits?: QueueLimits | undefined;
  /** Measures the age of entries, because the machine's clock may be set. */
  readonly steady?: () => Steady;
  readonly tell?: (line: string) => void;
}

/** Entries of one file, oldest first; `settle` marks them as arrived. */
export interface Batch {
  readonly entries: readonly Entry[];
  settle(): Promise<void>;
}

/**
 * Keeps entries on disk until they are settled, or in memory while the disk takes none. An entry may be sent
 * twice, which the service recognises. Only one process at a time may use a folder.
 */
export class Queue {
  readonly #folder: string;
  readonly #files: QueueFolder;
  readonly #gaps: GapFile;
  readonly #limits: QueueLimits;
  readonly #steady: () => Steady;
  /** Failures here lose nothing: each is reported once, and tried again with the next call. */
  readonly #troubles: Troubles;
  /** Entries that the disk did not take, oldest first. */
  #held: Entry[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, { limits = queueLimits, steady = steadyNow, tell }: QueueParts) {
    this.#folder = folder;
    this.#limits = limits;
    this.#steady = steady;
    this.#troubles = new Troubles(tell ?? (() => {}));
    this.#gaps = new GapFile(join(folder, gapName));
    this.#files = new QueueFolder(folder, limits, this.#gaps);
  }

  /** Rejects if the folder itself cannot be made or listed. */
  static async open(folder: string, parts: QueueParts = {}): Promise<Queue> {
    const queue = new Queue(folder, parts);
    await queue.#files.find();
    await queue.#loadGap();
    for (const part of queue.#files.parts) await queue.#read(part, () => queue.#files.learn(part));
    await queue.#makeRoom();
    return queue;
  }

  /** Without the entries of files that could not be read yet. */
  get waiting(): number {
    return this.#files.parts.reduce((sum, part) => sum + waitingIn(part), this.#held.length);
  }

  /** Whether some entries are in memory only. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Whether there is something to send, to report or to read again. */
  get isBusy(): boolean {
    return this.waiting > 0 || this.gap !== null || this.#files.parts.some(({ isKnown }) => !isKnown);
  }

  get gap(): QueueGap | null {
    return this.#gaps.gap;
  }

  /** Resolves when the entries are kept; call the result if they arrive by another way than `oldest`. */
  append(...entries: readonly Entry[]): Promise<() => Promise<void>> {
    const steady = this.#steady();
    const added = entries.map((entry): Entry => Object.assign({}, entry, { steady }));
    return this.#alone(async () => {
      this.#held.push(...added);
      const part = await this.#writeHeld();
      await this.#makeRoom();
      return () => this.#alone(() => this.#arrive(part, added));
    });
  }

  /** The oldest entries; null for none. Entries appended from now on come in later batches. */
  oldest(): Promise<Batch | null> {
    return this.#alone(async () => {
      for (const part of this.#files.parts) {
        const entries = await this.#read(part, () => this.#files.read(part));
        if (entries) return { entries, settle: () => this.#alone(() => this.#files.settle(part, entries)) };
      }
      const entries = [...this.#held];
      return entries.length === 0
        ? null
        : { entries, settle: () => this.#alone(() => this.#arrive(null, entries)) };
    });
  }

  /** Counts entries that the service will never take. */
  giveUp(entries: readonly Entry[]): Promise<void> {
    return this.#alone(async () => {
      const gap = gapOf(entries);
      if (gap) await this.#gaps.widen(gap);
    });
  }

  forget(gap: QueueGap): Promise<void> {
    return this.#alone(() => this.#gaps.forget(gap));
  }

  close(): Promise<void> {
    return this.#alone(async () => {
      if (this.#held.length > 0) await this.#writeHeld();
      await this.#files.seal();
    });
  }

  /** Runs one change at a time; a failure rejects only for its own caller. */
  #alone<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#turn.then(change);
    this.#turn = Promise.allSettled([changed]);
    return changed;
  }

  #read<T>(part: Part, read: () => Promise<T>): Promise<T | null> {
    const path = join(this.#folder, part.name);
    return this.#troubles.attempt([`${path} cannot be read`, `${path} can be read again.`], read);
  }

  #loadGap(): Promise<unknown> {
    const path = join(this.#folder, gapName);
    const words = [`${path} cannot be read`, `${path} can be read again.`] as const;
    return this.#troubles.attempt(words, () => this.#gaps.load());
  }

  /** Null if the disk takes nothing; entries beyond the limit are then given up. */
  async #writeHeld(): Promise<Part | null> {
    const held = this.#held;
    const write = (): Promise<Part> => this.#files.write(held);
    const words = ["Unsent data cannot be kept on disk", "Unsent data is kept on disk again."] as const;
    const part = await this.#troubles.attempt(words, write);
    if (part) {
      this.#held = [];
      return part;
    }
    const tooMany = held.slice(0, Math.max(0, held.length - this.#limits.held));
    const gap = gapOf(tooMany);
    if (gap) this.#gaps.hold(gap);
    this.#held = held.slice(tooMany.length);
    return null;
  }

  /** Entries in memory may be in a file by now; they are then sent again, and the service recognises them. */
  async #arrive(part: Part | null, arrived: readonly Entry[]): Promise<void> {
    if (part) return this.#files.settle(part, arrived);
    const gone = new Set(arrived);
    this.#held = this.#held.filter((entry) => !gone.has(entry));
  }

  async #makeRoom(): Promise<void> {
    await this.#loadGap();
    const make = (): Promise<void> => this.#files.makeRoom(this.#steady());
    await this.#troubles.attempt(
      ["The queue cannot be cut to its size", "The queue has its size again."],
      make,
    );
  }
}
