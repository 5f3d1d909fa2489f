import { lstat, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nullIfAbsent } from "../../core/failure-code.ts";
import { minuteMs, secondMs } from "../../core/time.ts";

/** Entries between two pauses: a millisecond or a few of work where the kernel knows them. */
const entriesAtOnce = 100;
/** A pause is this many times as long as the work before it: a walk takes a quarter of one disk's time. */
const restFactor = 3;
const longestRestMs = secondMs;
/** Names of a folder that are read at once. */
const namesAtOnce = 64;

export interface WalkBounds {
  readonly signal: AbortSignal;
  /** Files and folders of all trees of the walk. */
  readonly mostEntries?: number;
  readonly mostMs?: number;
}

/** Rejects every further step: what was counted until then is no size. */
class WalkCut extends Error {}

/**
 * Counts the bytes of folders, one entry at a time with pauses between, so that a game that saves meanwhile
 * waits for nothing. Links are not followed, other file systems are left out, and a file with several names
 * counts once in all folders of one walk.
 */
export class TreeWalk {
  readonly #signal: AbortSignal;
  readonly #mostEntries: number;
  readonly #mostMs: number;
  readonly #begunAt = performance.now();
  /** Files that have a further name. */
  readonly #counted = new Set<string>();
  #entries = 0;
  #workedFrom = performance.now();

  constructor({ signal, mostEntries = 500_000, mostMs = 20 * minuteMs }: WalkBounds) {
    this.#signal = signal;
    this.#mostEntries = mostEntries;
    this.#mostMs = mostMs;
  }

  /**
   * Bytes of all files and folders below `root`, which may itself be a link, as `du -sb` counts them. What
   * vanishes meanwhile does not count. Rejects if a folder cannot be read, or at the bounds of the walk.
   */
  async bytesOf(root: string): Promise<number> {
    const { dev, size } = await stat(root);
    const open = [root];
    let bytes = size;
    for (let folder = open.pop(); folder !== undefined; folder = open.pop())
      bytes += await this.#bytesIn(folder, dev, open);
    return bytes;
  }

  /** Bytes of the entries of one folder; its folders are added to `open`. */
  async #bytesIn(folder: string, device: number, open: string[]): Promise<number> {
    const entries = await opendir(folder, { bufferSize: namesAtOnce }).catch(nullIfAbsent);
    if (entries === null) return 0;
    let bytes = 0;
    try {
      for await (const { name } of entries) {
        await this.#step();
        const path = join(folder, name);
        const found = await lstat(path).catch(nullIfAbsent);
        if (found === null || found.dev !== device) continue;
        if (found.isDirectory()) open.push(path);
        if (found.isFile() && found.nlink > 1 && !this.#isFirst(found.dev, found.ino)) continue;
        bytes += found.size;
      }
    } catch (error) {
      // The folder itself may vanish while its names are read.
      nullIfAbsent(error);
    }
    return bytes;
  }

  #isFirst(device: number, inode: number): boolean {
    const known = `${device}:${inode}`;
    if (this.#counted.has(known)) return false;
    this.#counted.add(known);
    return true;
  }

  async #step(): Promise<void> {
    this.#signal.throwIfAborted();
    this.#entries += 1;
    if (this.#entries > this.#mostEntries)
      throw new WalkCut(`there are more than ${this.#mostEntries} files`);
    const now = performance.now();
    if (now - this.#begunAt > this.#mostMs)
      throw new WalkCut(`counting took more than ${Math.round(this.#mostMs / minuteMs)} min`);
    if (this.#entries % entriesAtOnce !== 0) return;
    const restMs = Math.min(longestRestMs, Math.max(1, (now - this.#workedFrom) * restFactor));
    await sleep(restMs, undefined, { signal: this.#signal });
    this.#workedFrom = performance.now();
  }
}
