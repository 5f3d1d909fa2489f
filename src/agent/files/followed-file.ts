import { open, stat, type FileHandle } from "node:fs/promises";
import { nullIfAbsent } from "../../core/failure-code.ts";
import type { Instant } from "../../core/time.ts";
import { markAt, type FilePosition } from "./file-position.ts";

export interface Followed {
  /** When the file was last written; null while there is none. */
  readonly writtenAt: Instant | null;
  /** The lines were there before anybody looked. */
  readonly isPast: boolean;
  /** Another file, or the same from its beginning. */
  readonly isAnew: boolean;
  /** What was skipped because too much was added since the last call, bytes. */
  readonly skippedBytes: number;
}

/** The part of an existing file that the first read takes, from one byte to another. */
export interface FirstRead {
  readonly from: number;
  readonly until: number;
}

/** If more than this was added since the last read, the older part is skipped, bytes: days of a busy server. */
const mostBehind = 64 * 1024 * 1024;
const pieceBytes = 256 * 1024;
/** A longer line is cut: its beginning is kept, bytes. */
const longestLine = 64 * 1024;

interface OpenFile {
  readonly handle: FileHandle;
  readonly identity: string;
  position: number;
  /** The beginning of a line whose end is not written yet. */
  rest: Buffer;
  /** True while the rest of a line is skipped that began before the read part or was too long. */
  isSkipping: boolean;
}

/**
 * Reads the lines that a program adds to a file, whole ones only and each once. The file may be absent, cut or replaced;
 * a renamed file is read to its end before the new one is begun.
 */
export class FollowedFile {
  readonly #backBytes: number;
  readonly #piece = Buffer.alloc(pieceBytes);
  #file: OpenFile | null = null;
  #isFirst = true;
  #skippedBytes = 0;

  /** The first read takes the last `backBytes` of a file that exists already. */
  constructor(backBytes: number) {
    this.#backBytes = backBytes;
  }

  /**
   * Gives every line that was finished since the last call; a first one gives what the file holds, as the past. Rejects
   * where there is a file that cannot be read: what it holds is given by a later call.
   */
  async read(
    path: string,
    onLine: (line: string) => void,
    signal: AbortSignal,
    first?: FirstRead,
  ): Promise<Followed> {
    const isPast = this.#isFirst;
    let isAnew = false;
    if (this.#file) {
      isAnew = await this.#drain(this.#file, onLine, signal);
      const now = await stat(path).catch(nullIfAbsent);
      if (now && identityOf(now) !== this.#file.identity) {
        await this.close();
        isAnew = true;
      }
    }
    if (!this.#file) {
      this.#file = await this.#open(path, first);
      isAnew ||= this.#file !== null && !isPast;
      const until = this.#isFirst ? first?.until : undefined;
      if (this.#file) await this.#drain(this.#file, onLine, signal, until);
    }
    this.#isFirst = false;
    const writtenAt = this.#file ? Math.floor((await this.#file.handle.stat()).mtimeMs) : null;
    const skippedBytes = this.#skippedBytes;
    this.#skippedBytes = 0;
    return { writtenAt, isPast, isAnew, skippedBytes };
  }

  /** How far the file is read in whole lines; null while there is none. */
  async position(): Promise<FilePosition | null> {
    const file = this.#file;
    if (!file || file.isSkipping) return null;
    const position = file.position - file.rest.length;
    return { identity: file.identity, position, mark: await markAt(file.handle, position) };
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.handle.close();
  }

  async #open(path: string, first: FirstRead | undefined): Promise<OpenFile | null> {
    // A pipe under this name would be waited for.
    const found = await stat(path).catch(nullIfAbsent);
    if (!found?.isFile()) return null;
    const handle = await open(path, "r").catch(nullIfAbsent);
    if (!handle) return null;
    const now = await handle.stat();
    const from = first?.from ?? Math.max(0, now.size - this.#backBytes);
    const position = this.#isFirst ? from : 0;
    return { handle, identity: identityOf(now), position, rest: Buffer.alloc(0), isSkipping: position > 0 };
  }

  /** True when the file was cut, and is read from its beginning again. */
  async #drain(
    file: OpenFile,
    onLine: (line: string) => void,
    signal: AbortSignal,
    until = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    const { size } = await file.handle.stat();
    const isCut = size < file.position;
    if (isCut) Object.assign(file, { position: 0, rest: Buffer.alloc(0), isSkipping: false });
    if (size - file.position > mostBehind) {
      this.#skippedBytes += size - mostBehind - file.position;
      Object.assign(file, { position: size - mostBehind, rest: Buffer.alloc(0), isSkipping: true });
    }
    for (;;) {
      signal.throwIfAborted();
      const length = Math.min(pieceBytes, until - file.position);
      if (length <= 0) return isCut;
      const { bytesRead } = await file.handle.read(this.#piece, 0, length, file.position);
      if (bytesRead === 0) return isCut;
      file.position += bytesRead;
      takeLines(file, this.#piece.subarray(0, bytesRead), onLine);
    }
  }
}

/** A new file may get the number of the one that was deleted; then its birth tells them apart, where it is known. */
export const identityOf = (found: {
  readonly dev: number;
  readonly ino: number;
  readonly birthtimeMs: number;
}): string => `${found.dev}:${found.ino}:${found.birthtimeMs}`;

const lineFeed = 10;

function takeLines(file: OpenFile, bytes: Buffer, onLine: (line: string) => void): void {
  const lastEnd = bytes.lastIndexOf(lineFeed);
  if (lastEnd >= 0) {
    const whole = Buffer.concat([file.rest, bytes.subarray(0, lastEnd)]).toString("utf8");
    const lines = whole.split("\n");
    for (const line of file.isSkipping ? lines.slice(1) : lines) onLine(withoutReturn(line));
    file.rest = Buffer.alloc(0);
    file.isSkipping = false;
  }
  const behind = bytes.subarray(lastEnd + 1);
  if (file.rest.length + behind.length > longestLine) {
    // The beginning of the long line is passed on at once; the rest of the line is left out.
    if (!file.isSkipping)
      onLine(Buffer.concat([file.rest, behind]).subarray(0, longestLine).toString("utf8"));
    file.rest = Buffer.alloc(0);
    file.isSkipping = true;
  } else if (!file.isSkipping) {
    file.rest = Buffer.concat([file.rest, behind]);
  }
}

export const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
