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
  /** What a clock that is set now and then says of an entry's age is no reason to give it up. */
  readonly steady?: () => Steady;
  readonly tell?: (line: string) => void;
}

/** Entries of one file, oldest first; `settle` says that all of them arrived. */
export interface Batch {
  readonly entries: readonly Entry[];
  settle(): Promise<void>;
}

/**
 * Keeps entries on disk until they are settled. A line that a crash cut off at the end of a file is ignored; an entry that
 * was sent already is sent again, and the service recognises it. A file that cannot be read waits until it can, and the
 * others are sent meanwhile; entries that the disk does not take are held in memory. One process at a time uses a folder.
 */
export class Queue {
  readonly #folder: string;
  readonly #files: QueueFolder;
  readonly #gaps: GapFile;
  readonly #limits: QueueLimits;
  readonly #steady: () => Steady;
  /** What fails here gives nothing up: it is reported once, and tried again with the next call. */
  readonly #troubles: Troubles;
  /** What the disk did not take, oldest first. */
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

  /** Rejects where the folder itself cannot be made or listed: nobody knows then what waits in it. */
  static async open(folder: string, parts: QueueParts = {}): Promise<Queue> {
    const queue = new Queue(folder, parts);
    await queue.#files.find();
    await queue.#loadGap();
    for (const part of queue.#files.parts) await queue.#read(part, () => queue.#files.learn(part));
    await queue.#makeRoom();
    return queue;
  }

  /** Entries that wait, as far as they are known. */
  get waiting(): number {
    return this.#files.parts.reduce((sum, part) => sum + waitingIn(part), this.#held.length);
  }

  /** Whether there are entries that this process alone knows of. */
  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Whether there is something to send, to report, or to try to read again. */
  get isBusy(): boolean {
    return this.waiting > 0 || this.gap !== null || this.#files.parts.some(({ isKnown }) => !isKnown);
  }

  /** The entries that were given up and not yet reported. */
  get gap(): QueueGap | null {
    return this.#gaps.gap;
  }

  /**
   * Resolves when the entries are kept, all of one file, with how to say that they arrived by another way than `oldest`.
   * Where the disk takes none they are held in memory.
   */
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

  /** The oldest entries that wait; null when none do. Entries that are appended from now on come in later batches. */
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

  /** Gives entries up that the service will never take. */
  giveUp(entries: readonly Entry[]): Promise<void> {
    return this.#alone(async () => {
      const gap = gapOf(entries);
      if (gap) await this.#gaps.widen(gap);
    });
  }

  /** Forgets a gap that the service knows of. */
  forget(gap: QueueGap): Promise<void> {
    return this.#alone(() => this.#gaps.forget(gap));
  }

  close(): Promise<void> {
    return this.#alone(async () => {
      if (this.#held.length > 0) await this.#writeHeld();
      await this.#files.seal();
    });
  }

  /** Runs one change at a time; a failed one does not stop the next, and its caller hears of it. */
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

  /** Writes what is held; null if the disk takes nothing, and then at most so much stays in memory. */
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

  /** What was held may have been written to a file since. */
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
