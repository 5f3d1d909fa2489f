import { open, stat, type FileHandle } from "node:fs/promises";

/** How much of a file that was there before is looked at, bytes. */
const backBytes = 64 * 1024;

/** What came since the last look is read up to here at once, and the rest with the next one, bytes. */
const mostAtOnce = 8 * 1024 * 1024;

export interface FollowedLines {
  readonly lines: readonly string[];
  /** True when these were written before this file was first looked at. */
  readonly isOld: boolean;
}

/**
 * Reads the lines a program adds to a log, whole ones only. A log that is renamed away is read to its end before the new
 * one is begun; one that is cut is read from its start.
 */
export class FollowedFile {
  #file: FileHandle | null = null;
  #at = 0;
  #rest = Buffer.alloc(0);

  /** Lines added since the last call, in order; those of the first one are the file's last ones. Rejects when it cannot be opened. */
  async next(path: string): Promise<FollowedLines> {
    if (this.#file === null) {
      await this.#begin(path);
      const { size } = await this.#stat();
      this.#at = Math.max(0, size - backBytes);
      const lines = await this.#more();
      // The first one is most likely cut.
      return { lines: size > backBytes ? lines.slice(1) : lines, isOld: true };
    }
    const lines = await this.#more();
    if (!(await this.#isReplaced(path))) return { lines, isOld: false };
    await this.close();
    await this.#begin(path);
    return { lines: [...lines, ...(await this.#more())], isOld: false };
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  async #begin(path: string): Promise<void> {
    this.#file = await open(path);
    this.#at = 0;
    this.#rest = Buffer.alloc(0);
  }

  async #stat(): Promise<{ readonly size: number; readonly ino: number; readonly dev: number }> {
    if (this.#file === null) throw new Error("The log is not open.");
    return this.#file.stat();
  }

  /** While the program is between two files there is none: then this one goes on. */
  async #isReplaced(path: string): Promise<boolean> {
    const there = await stat(path).catch(() => null);
    const ours = await this.#stat();
    return there !== null && (there.ino !== ours.ino || there.dev !== ours.dev);
  }

  async #more(): Promise<string[]> {
    const { size } = await this.#stat();
    if (size < this.#at) {
      this.#at = 0;
      this.#rest = Buffer.alloc(0);
    }
    const length = Math.min(size - this.#at, mostAtOnce);
    const piece = Buffer.alloc(length);
    const { bytesRead = 0 } = (await this.#file?.read(piece, 0, length, this.#at)) ?? {};
    this.#at += bytesRead;
    const bytes = Buffer.concat([this.#rest, piece.subarray(0, bytesRead)]);
    const end = bytes.lastIndexOf(0x0a);
    // A line longer than a whole look is none that anybody wrote.
    this.#rest = bytes.length - end - 1 > mostAtOnce ? Buffer.alloc(0) : bytes.subarray(end + 1);
    return end < 0 ? [] : bytes.toString("utf8", 0, end).split("\n");
  }
}
