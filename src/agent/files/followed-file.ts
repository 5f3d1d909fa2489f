import { open, stat, type FileHandle } from "node:fs/promises";
import { nullIfAbsent } from "../../core/failure-code.ts";
import type { Instant } from "../../core/time.ts";
import { markAt, type FilePosition } from "./file-position.ts";

export interface Followed {
  /** Null while there is no file. */
  readonly writtenAt: Instant | null;
  /** The lines were there before the first read. */
  readonly isPast: boolean;
  /** The file was replaced, or is read from its beginning again. */
  readonly isAnew: boolean;
  /** Left out because too much was added since the last call, bytes. */
  readonly skippedBytes: number;
}

/** The part of an existing file that the first read takes, as byte offsets. */
export interface FirstRead {
  readonly from: number;
  readonly until: number;
}

/** If more than this was added since the last read, the older part is skipped, bytes: days of a log. */
const mostBehind = 64 * 1024 * 1024;
const pieceBytes = 256 * 1024;
/** Only the beginning of a longer line is kept, bytes. */
const longestLine = 64 * 1024;

interface OpenFile {
  readonly handle: FileHandle;
  readonly identity: string;
  position: number;
  /** The beginning of an unfinished line. */
  rest: Buffer;
  /** True while the rest of a line is skipped: it began before the read part, or was too long. */
  isSkipping: boolean;
}

/** Reads a growing file's whole lines, each once; a renamed file is read to its end before the new one. */
export class FollowedFile {
  readonly #backBytes: number;
  readonly #isWritten: (identity: string) => Promise<boolean>;
  readonly #piece = Buffer.alloc(pieceBytes);
  #file: OpenFile | null = null;
  /** A file that was replaced while its program still writes to it. */
  #former: OpenFile | null = null;
  #isFirst = true;
  #skippedBytes = 0;

  /** Of a file that exists at the first read, only the last `backBytes` are read. */
  constructor(backBytes: number, isWritten: (identity: string) => Promise<boolean> = async () => false) {
    this.#backBytes = backBytes;
    this.#isWritten = isWritten;
  }

  /** The first call gives the existing lines, as the past. If it rejects, a later call gives the lines. */
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
        await this.#leave(this.#file);
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
    const formerAt = this.#former && (await writtenAtOf(this.#former));
    // Last, because the last line dates the others.
    if (this.#former) await this.#drain(this.#former, onLine, signal);
    const currentAt = this.#file && (await writtenAtOf(this.#file));
    const writtenAt = currentAt && Math.max(currentAt, formerAt ?? 0);
    const skippedBytes = this.#skippedBytes;
    this.#skippedBytes = 0;
    return { writtenAt, isPast, isAnew, skippedBytes };
  }

  /** Null while there is no file, or while the rest of a line is skipped. */
  async position(): Promise<FilePosition | null> {
    const file = this.#file;
    if (!file || file.isSkipping) return null;
    const position = file.position - file.rest.length;
    return { identity: file.identity, position, mark: await markAt(file.handle, position) };
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await this.forgetFormer();
    await file?.handle.close();
  }

  /** The program that wrote to the replaced file has ended. */
  async forgetFormer(): Promise<void> {
    const file = this.#former;
    this.#former = null;
    await file?.handle.close();
  }

  async #leave(file: OpenFile): Promise<void> {
    this.#file = null;
    if (this.#former === null && (await this.#isWritten(file.identity))) this.#former = file;
    else await file.handle.close();
  }

  async #open(path: string, first: FirstRead | undefined): Promise<OpenFile | null> {
    // Opening a pipe would block.
    const found = await stat(path).catch(nullIfAbsent);
    if (!found?.isFile()) return null;
    const handle = await open(path, "r").catch(nullIfAbsent);
    if (!handle) return null;
    const now = await handle.stat();
    const from = first?.from ?? Math.max(0, now.size - this.#backBytes);
    const position = this.#isFirst ? from : 0;
    return { handle, identity: identityOf(now), position, rest: Buffer.alloc(0), isSkipping: position > 0 };
  }

  /** True if the file was cut, and is read from its beginning again. */
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

const writtenAtOf = async ({ handle }: OpenFile): Promise<Instant> =>
  Math.floor((await handle.stat()).mtimeMs);

/** The birth time matters because a new file may get the inode of a deleted one. */
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
    // The beginning of a long line is passed on at once; its rest is skipped.
    if (!file.isSkipping)
      onLine(Buffer.concat([file.rest, behind]).subarray(0, longestLine).toString("utf8"));
    file.rest = Buffer.alloc(0);
    file.isSkipping = true;
  } else if (!file.isSkipping) {
    file.rest = Buffer.concat([file.rest, behind]);
  }
}

export const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
