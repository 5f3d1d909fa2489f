import { open, stat, type FileHandle } from "node:fs/promises";
import type { Instant } from "../../core/time.ts";

export interface LogTail {
  /**
   * Gives every line that was finished since the last call, of a file that may be absent, truncated or replaced in
   * between. The first call on a file that is already there gives what it holds, as the past.
   */
  read(onLine: (line: string) => void, signal: AbortSignal): Promise<TailReading>;
  close(): Promise<void>;
}

export interface TailReading {
  /** When the file was last written; null while there is none. */
  readonly writtenAt: Instant | null;
  /** The lines were there before anybody listened. */
  readonly isPast: boolean;
  /** Another file, or the same from its beginning. */
  readonly isAnew: boolean;
}

/** Of what lies behind, so much at the most is read: a day's log of a busy server, bytes. */
const furthestBack = 16 * 1024 * 1024;
const pieceBytes = 256 * 1024;
/** What is longer is no line of a log; its beginning is kept, bytes. */
const longestLine = 64 * 1024;

interface OpenLog {
  readonly handle: FileHandle;
  readonly file: string;
  position: number;
  /** The beginning of a line whose end is not written yet. */
  rest: Buffer;
  /** Up to the next line end nothing is taken: it began before what is read, or was too long. */
  isSkipping: boolean;
}

export function logTail(path: string): LogTail {
  let log: OpenLog | null = null;
  let isFirst = true;
  const piece = Buffer.alloc(pieceBytes);

  const begin = async (from: "end" | "start"): Promise<OpenLog | null> => {
    // A pipe under this name would be waited for.
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) return null;
    const handle = await open(path, "r").catch(() => null);
    if (!handle) return null;
    const now = await handle.stat();
    const position = from === "end" ? Math.max(0, now.size - furthestBack) : 0;
    return { handle, file: identity(now), position, rest: Buffer.alloc(0), isSkipping: position > 0 };
  };

  const drain = async (
    from: OpenLog,
    onLine: (line: string) => void,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { size } = await from.handle.stat();
    const isCut = size < from.position;
    if (isCut) Object.assign(from, { position: 0, rest: Buffer.alloc(0), isSkipping: false });
    if (size - from.position > furthestBack) {
      Object.assign(from, { position: size - furthestBack, rest: Buffer.alloc(0), isSkipping: true });
    }
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await from.handle.read(piece, 0, pieceBytes, from.position);
      if (bytesRead === 0) return isCut;
      from.position += bytesRead;
      takeLines(from, piece.subarray(0, bytesRead), onLine);
    }
  };

  return {
    async read(onLine, signal) {
      const isPast = isFirst;
      let isAnew = false;
      if (log) {
        isAnew = await drain(log, onLine, signal);
        const now = await stat(path).catch(() => null);
        if (now && identity(now) !== log.file) {
          await log.handle.close();
          log = null;
          isAnew = true;
        }
      }
      if (!log) {
        log = await begin(isFirst ? "end" : "start");
        if (log) await drain(log, onLine, signal);
      }
      isFirst = false;
      const writtenAt = log ? Math.floor((await log.handle.stat()).mtimeMs) : null;
      return { writtenAt, isPast, isAnew };
    },
    async close() {
      await log?.handle.close();
      log = null;
    },
  };
}

/** A new file may get the number of the one that was deleted; then its birth tells them apart, where it is known. */
const identity = ({ dev, ino, birthtimeMs }: { dev: number; ino: number; birthtimeMs: number }): string =>
  `${dev}:${ino}:${birthtimeMs}`;

const lineFeed = 10;

function takeLines(log: OpenLog, bytes: Buffer, onLine: (line: string) => void): void {
  const lastEnd = bytes.lastIndexOf(lineFeed);
  if (lastEnd >= 0) {
    const text = Buffer.concat([log.rest, bytes.subarray(0, lastEnd)]).toString("utf8");
    const lines = text.split("\n");
    for (const line of log.isSkipping ? lines.slice(1) : lines) {
      onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    }
    log.rest = Buffer.alloc(0);
    log.isSkipping = false;
  }
  const behind = bytes.subarray(lastEnd + 1);
  if (log.rest.length + behind.length > longestLine) {
    // Its beginning is told at once, what follows is left out up to its end.
    if (!log.isSkipping) onLine(Buffer.concat([log.rest, behind]).subarray(0, longestLine).toString("utf8"));
    log.rest = Buffer.alloc(0);
    log.isSkipping = true;
  } else if (!log.isSkipping) {
    log.rest = Buffer.concat([log.rest, behind]);
  }
}
