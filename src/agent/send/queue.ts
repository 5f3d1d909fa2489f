import { mkdir, open, readdir, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { dayMs, type Instant } from "../../core/time.ts";
import { synchroniseFolder, writeWhole } from "../files/files.ts";
import { gapOf, readEntries, readGap, type Entry, type QueueGap } from "./queue-file.ts";

export interface QueueLimits {
  /** Entries older than this are given up, ms. */
  readonly ageMs: number;
  /** The most room of the queue on disk, bytes. */
  readonly bytes: number;
  /** A longer file gets no more entries, bytes: a file is given up or sent again as a whole. */
  readonly fileBytes: number;
}

/** A week at a sample every 30 s is 12 MB. */
export const queueLimits: QueueLimits = { ageMs: 7 * dayMs, bytes: 16 * 1024 * 1024, fileBytes: 256 * 1024 };

interface Part {
  readonly name: string;
  bytes: number;
  /** The number of entries that are not settled. */
  waiting: number;
  newest: Instant;
}

/** Entries of one file, oldest first; `settle` says that all of them arrived. */
export interface Batch {
  readonly entries: readonly Entry[];
  settle(): Promise<void>;
}

const partName = /^\d{12}\.ndjson$/;
const gapFile = "gap.json";

/**
 * Keeps entries on disk until they are settled: files of NDJSON that are only ever appended to, synchronised before
 * an append resolves. A line that a crash cut off at the end of a file is ignored; an entry that was sent already
 * is sent again, and the service recognises it. One process at a time uses a folder.
 */
export class Queue {
  readonly #folder: string;
  readonly #limits: QueueLimits;
  /** Oldest first; the last one is appended to where `#file` is open. */
  readonly #parts: Part[] = [];
  #file: FileHandle | null = null;
  #next = 1;
  #gap: QueueGap | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, limits: QueueLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  static async open(folder: string, now: Instant, limits: QueueLimits = queueLimits): Promise<Queue> {
    const queue = new Queue(folder, limits);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = (await readdir(folder)).filter((name) => partName.test(name)).toSorted();
    for (const name of names) await queue.#recover(name);
    queue.#next = Number(names.at(-1)?.slice(0, 12) ?? 0) + 1;
    queue.#gap = await readGap(join(folder, gapFile));
    await queue.#makeRoom(now);
    return queue;
  }

  /** Entries that wait. */
  get waiting(): number {
    return this.#parts.reduce((sum, part) => sum + part.waiting, 0);
  }

  /** The entries that were given up and not yet reported. */
  get gap(): QueueGap | null {
    return this.#gap;
  }

  /** Resolves when the entries are on disk, all of one file, with how to say that they arrived by another way than `oldest`. */
  append(...entries: readonly Entry[]): Promise<() => Promise<void>> {
    return this.#alone(async () => {
      const { part, file } = await this.#open();
      const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      part.bytes += bytes.length;
      try {
        await file.appendFile(bytes);
        await file.datasync();
      } catch (error) {
        // Half a line may stand there now: it has to stay the last one of its file.
        await this.#seal();
        throw error;
      }
      part.waiting += entries.length;
      const newest = entries.reduce((latest, { at }) => Math.max(latest, at), part.newest);
      part.newest = newest;
      await this.#makeRoom(newest);
      return () => this.#alone(() => this.#settle(part, entries.length));
    });
  }

  /** The oldest entries that wait; null when none do. Entries that are appended from now on come in later batches. */
  oldest(): Promise<Batch | null> {
    return this.#alone(async () => {
      const part = this.#parts.find(({ waiting }) => waiting > 0);
      if (!part) return null;
      if (part === this.#parts.at(-1)) await this.#seal();
      const { entries } = await readEntries(join(this.#folder, part.name));
      return { entries, settle: () => this.#alone(() => this.#settle(part, part.waiting)) };
    });
  }

  /** Gives entries up that the service will never take. */
  giveUp(entries: readonly Entry[]): Promise<void> {
    return this.#alone(async () => {
      const gap = gapOf(entries);
      if (gap) await this.#widen(gap);
    });
  }

  /** Forgets a gap that the service knows of. */
  forget(gap: QueueGap): Promise<void> {
    return this.#alone(async () => {
      if (this.#gap !== gap) return;
      this.#gap = null;
      await rm(join(this.#folder, gapFile), { force: true });
    });
  }

  close(): Promise<void> {
    return this.#alone(() => this.#seal());
  }

  /** Runs one change at a time; a failed one does not stop the next. */
  #alone<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#turn.then(change);
    this.#turn = changed.catch(() => {});
    return changed;
  }

  async #recover(name: string): Promise<void> {
    const { entries, bytes } = await readEntries(join(this.#folder, name));
    if (entries.length === 0) return rm(join(this.#folder, name), { force: true });
    const newest = entries.reduce((latest, { at }) => Math.max(latest, at), 0);
    this.#parts.push({ name, bytes, waiting: entries.length, newest });
  }

  async #open(): Promise<{ part: Part; file: FileHandle }> {
    const last = this.#parts.at(-1);
    if (last && this.#file && last.bytes < this.#limits.fileBytes) return { part: last, file: this.#file };
    await this.#seal();
    const name = `${String(this.#next).padStart(12, "0")}.ndjson`;
    const file = await open(join(this.#folder, name), "ax", 0o600);
    this.#next += 1;
    this.#file = file;
    await synchroniseFolder(this.#folder);
    const part = { name, bytes: 0, waiting: 0, newest: 0 };
    this.#parts.push(part);
    return { part, file };
  }

  async #seal(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  /** A file without anything that waits is emptied while it is appended to, and else removed. */
  async #settle(part: Part, count: number): Promise<void> {
    const index = this.#parts.indexOf(part);
    if (index < 0) return;
    part.waiting = Math.max(0, part.waiting - count);
    if (part.waiting > 0) return;
    if (this.#file && index === this.#parts.length - 1) {
      await this.#file.truncate(0);
      part.bytes = 0;
      return;
    }
    this.#parts.splice(index, 1);
    await rm(join(this.#folder, part.name), { force: true });
  }

  async #makeRoom(now: Instant): Promise<void> {
    for (let oldest = this.#parts[0]; oldest && this.#isTooMuch(oldest, now); oldest = this.#parts[0]) {
      if (oldest === this.#parts.at(-1)) await this.#seal();
      const { entries } = await readEntries(join(this.#folder, oldest.name));
      const gap = gapOf(entries.slice(-oldest.waiting));
      if (gap && oldest.waiting > 0) await this.#widen(gap);
      this.#parts.shift();
      await rm(join(this.#folder, oldest.name), { force: true });
    }
  }

  #isTooMuch(oldest: Part, now: Instant): boolean {
    const bytes = this.#parts.reduce((sum, part) => sum + part.bytes, 0);
    const isOld = oldest.waiting > 0 && oldest.newest < now - this.#limits.ageMs;
    return isOld || (bytes > this.#limits.bytes && this.#parts.length > 1);
  }

  /** The gap is on disk before what it counts is gone. */
  async #widen(more: QueueGap): Promise<void> {
    const { samples, events, from, to } = this.#gap ?? {
      samples: 0,
      events: 0,
      from: more.from,
      to: more.to,
    };
    this.#gap = {
      samples: samples + more.samples,
      events: events + more.events,
      from: Math.min(from, more.from),
      to: Math.max(to, more.to),
    };
    await writeWhole(join(this.#folder, gapFile), JSON.stringify(this.#gap));
  }
}
