import { mkdir, open, readdir, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { nullIfAbsent } from "../../core/failure-code.ts";
import { handOver, synchroniseFolder } from "../files/files.ts";
import { gapOf, readQueueFile, widened, type Entry, type QueueGap } from "./queue-file.ts";
import type { GapFile } from "./queue-gap.ts";
import { steadySpan, type Steady } from "./steady.ts";

export interface FolderLimits {
  /** Older entries are given up, ms by the steady clock. */
  readonly ageMs: number;
  /** The most room on disk, bytes; files that cannot be read have as much of their own. */
  readonly bytes: number;
  /** A longer file gets no more entries, bytes: a file is given up or sent again as a whole. */
  readonly fileBytes: number;
}

export interface Part {
  readonly name: string;
  bytes: number;
  /** False until the file could be read. */
  isKnown: boolean;
  /** Unsettled entries and damaged lines; null for none. */
  left: QueueGap | null;
  newest: Steady | null;
}

const partName = /^\d{12}\.ndjson$/;

const newestOf = (entries: readonly Entry[]): Steady | null => entries.at(-1)?.steady ?? null;

/** Entries known to wait; 0 for a file that was not read yet. */
export const waitingIn = ({ left }: Part): number => (left === null ? 0 : left.samples + left.events);

/** The files of a queue. Entries are only appended, and are on disk when `write` resolves. */
export class QueueFolder {
  readonly #folder: string;
  readonly #limits: FolderLimits;
  readonly #gaps: GapFile;
  /** Oldest first; the last one is appended to while `#file` is open. */
  readonly #parts: Part[] = [];
  #file: FileHandle | null = null;
  #next = 1;

  constructor(folder: string, limits: FolderLimits, gaps: GapFile) {
    this.#folder = folder;
    this.#limits = limits;
    this.#gaps = gaps;
  }

  /** A copy, because reading a part may remove it. */
  get parts(): readonly Part[] {
    return [...this.#parts];
  }

  /** Finds the files of earlier processes; rejects if the folder cannot be made or listed. */
  async find(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = (await readdir(this.#folder)).filter((name) => partName.test(name)).toSorted();
    for (const name of names) this.#parts.push({ name, bytes: 0, isKnown: false, left: null, newest: null });
    this.#next = Number(names.at(-1)?.slice(0, 12) ?? 0) + 1;
  }

  /** Reads a file of an earlier process; rejects if it cannot be read, and the file stays. */
  async learn(part: Part): Promise<void> {
    if (this.#gaps.counted === part.name) return this.#drop(part);
    const about = await stat(this.#path(part)).catch(nullIfAbsent);
    part.bytes = about?.size ?? 0;
    const read = await readQueueFile(this.#path(part));
    part.isKnown = true;
    part.left = gapOf(read?.entries ?? [], read?.damaged, about?.mtimeMs);
    part.newest = newestOf(read?.entries ?? []);
    if (waitingIn(part) === 0) await this.#giveUp(part);
  }

  /** All entries go to one file. Resolves when they are on disk; if it rejects, none counts as written. */
  async write(entries: readonly Entry[]): Promise<Part> {
    const { part, file } = await this.#open();
    const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    try {
      await file.appendFile(bytes);
      await file.datasync();
    } catch (error) {
      // Take the partial write back. If the disk refuses that too, the half line must stay the file's last
      // one; whole lines before it are sent twice at most, which the service recognises.
      await file.truncate(part.bytes).catch((again: unknown) => void again);
      await this.seal();
      throw error;
    }
    part.bytes += bytes.length;
    part.newest = newestOf(entries);
    const more = gapOf(entries);
    part.left = more && widened(part.left, more);
    return part;
  }

  /** The entries to send; null for none. Rejects if the file cannot be read now. */
  async read(part: Part): Promise<readonly Entry[] | null> {
    if (!part.isKnown) await this.learn(part);
    const waiting = waitingIn(part);
    const isOpen = this.#file !== null && part === this.#parts.at(-1);
    if (waiting === 0 && isOpen) return null;
    if (isOpen) await this.seal();
    const read = await readQueueFile(this.#path(part));
    const entries = read?.entries ?? [];
    // Entries that somebody removed from the file count as damaged.
    const damaged = Math.max(read?.damaged ?? 0, waiting - entries.length);
    part.left = gapOf(entries, damaged, part.left?.to);
    if (entries.length > 0) return entries;
    await this.#giveUp(part);
    return null;
  }

  /** Marks entries as arrived. A file with none left is emptied if it is open, else removed. */
  async settle(part: Part, arrived: readonly Entry[]): Promise<void> {
    if (!this.#parts.includes(part) || part.left === null) return;
    const samples = arrived.filter((entry) => "sample" in entry).length;
    part.left = {
      ...part.left,
      samples: Math.max(0, part.left.samples - samples),
      events: Math.max(0, part.left.events - (arrived.length - samples)),
    };
    if (waitingIn(part) > 0) return;
    if (this.#file && part === this.#parts.at(-1)) {
      await this.#file.truncate(0);
      Object.assign(part, { bytes: 0, left: null });
    } else await this.#giveUp(part);
  }

  async makeRoom(now: Steady): Promise<void> {
    for (let part = this.#tooMuch(now); part; part = this.#tooMuch(now)) {
      if (part === this.#parts.at(-1)) await this.seal();
      await this.#giveUp(part);
    }
  }

  async seal(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  #path({ name }: Part): string {
    return join(this.#folder, name);
  }

  async #open(): Promise<{ part: Part; file: FileHandle }> {
    const last = this.#parts.at(-1);
    if (last && this.#file && last.bytes < this.#limits.fileBytes) return { part: last, file: this.#file };
    await this.seal();
    const part = {
      name: `${String(this.#next).padStart(12, "0")}.ndjson`,
      bytes: 0,
      isKnown: true,
      left: null,
      newest: null,
    };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(this.#path(part), "ax", 0o600);
    this.#next += 1;
    this.#file = file;
    this.#parts.push(part);
    await handOver(file, this.#folder);
    await synchroniseFolder(this.#folder);
    return { part, file };
  }

  #tooMuch(now: Steady): Part | null {
    const known = this.#parts.filter(({ isKnown }) => isKnown);
    const oldest = known.find((part) => waitingIn(part) > 0);
    if (oldest && (steadySpan(oldest.newest, now) ?? 0) > this.#limits.ageMs) return oldest;
    // Unreadable files are given up last, because they may become readable.
    return this.#overfull(known) ?? this.#overfull(this.#parts.filter(({ isKnown }) => !isKnown));
  }

  #overfull(parts: readonly Part[]): Part | null {
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    return bytes > this.#limits.bytes && parts.length > 1 ? (parts[0] ?? null) : null;
  }

  async #giveUp(part: Part): Promise<void> {
    const gap = part.isKnown ? part.left : await this.#unread(part);
    if (gap && gap.samples + gap.events + gap.damaged + gap.unread_files > 0)
      await this.#gaps.widen(gap, part.name);
    await this.#drop(part);
  }

  async #unread(part: Part): Promise<QueueGap> {
    const { birthtimeMs, mtimeMs } = await stat(this.#path(part));
    const from = Math.min(birthtimeMs || mtimeMs, mtimeMs);
    return { samples: 0, events: 0, damaged: 0, unread_files: 1, from, to: mtimeMs };
  }

  async #drop(part: Part): Promise<void> {
    await rm(this.#path(part), { force: true });
    const index = this.#parts.indexOf(part);
    if (index >= 0) this.#parts.splice(index, 1);
  }
}
