import { accessSync, constants, readdirSync, readlinkSync, statSync, unlinkSync, type Stats } from "node:fs";
import { failureCode, isAbsent } from "../../core/failure-code.ts";

/** What became of the file of a database that is in use. */
export type FileTrouble = "removed" | "replaced" | "truncated";

/** The log and its index are part of the database: without the log, what it holds is lost. */
const suffixes = ["", "-wal", "-shm"];

interface Part {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

/**
 * The file of a database in use, with its log. SQLite goes on writing into a file that was removed, and to an own one
 * where another file took its place: all of that is gone when the process ends. So each commit first looks whether the
 * files are still those that were opened. The files are looked at and never opened: closing one would drop the locks that
 * SQLite holds on it.
 */
export class DatabaseFile {
  readonly path: string;
  readonly #parts: readonly Part[];
  readonly #bytesOfPages: () => number;
  #size: number;
  #isTruncated = false;
  #trouble: FileTrouble | null = null;

  /** Takes the files as they are now. `bytesOfPages`: how long the database says it is. */
  constructor(path: string, bytesOfPages: () => number) {
    this.path = path;
    this.#bytesOfPages = bytesOfPages;
    this.#size = statSync(path).size;
    this.#parts = suffixes.map((suffix) => {
      const { dev: device, ino: inode } = statSync(path + suffix);
      return { path: path + suffix, device, inode };
    });
  }

  /** What was found by the newest look. */
  get trouble(): FileTrouble | null {
    return this.#trouble;
  }

  /** Looks at the files now. A moved file that is back is as good as before; what was cut off stays lost. */
  look(): FileTrouble | null {
    this.#trouble = this.#found();
    return this.#trouble;
  }

  #found(): FileTrouble | null {
    // The file itself comes first: what stands beside another one is not ours either.
    for (const { path, device, inode } of this.#parts) {
      const now = stats(path);
      if (now === null) return "removed";
      // Nothing is known against the files that are open.
      if (now === undefined) return this.#trouble;
      if (now.ino !== inode || now.dev !== device) return "replaced";
      if (path === this.path) this.#measure(now.size);
    }
    return this.#isTruncated ? "truncated" : null;
  }

  /**
   * Only a checkpoint after VACUUM makes the file shorter, to what the database says or with what is missing in the log.
   * More than the log can hold is missing where somebody else cut the file off.
   */
  #measure(size: number): void {
    const isShorter = size < this.#size;
    this.#size = size;
    if (isShorter && (size === 0 || this.#bytesOfPages() - size > (stats(`${this.path}-wal`)?.size ?? 0)))
      this.#isTruncated = true;
  }

  /**
   * Where the system has the files that this process holds, as `/proc` tells it: the path to which they were moved, or
   * null where they have none any more. Undefined where there is no `/proc`.
   */
  movedTo(): string | null | undefined {
    const held = this.held();
    if (held === undefined) return undefined;
    const path = held[0]?.target ?? null;
    return path === null || path.endsWith(" (deleted)") ? null : path;
  }

  /** The system's code where this process may not open the file any more; null where it may. */
  whyNotOpened(): string | null {
    try {
      accessSync(this.path, constants.R_OK | constants.W_OK);
      return null;
    } catch (error) {
      return failureCode(error);
    }
  }

  /** Whether a part of the database has no name any more, so that only this process can read it. */
  isHeldAlone(): boolean {
    return (this.held() ?? []).some(({ target }) => target.endsWith(" (deleted)"));
  }

  /**
   * Removes the log and its index where they are those that were opened, and the file is not: SQLite would bring what
   * stands in this log into whatever file is at that place when it is next opened.
   */
  removeLeftLog(): void {
    const [file, ...others] = this.#parts;
    if (file === undefined || isThere(file)) return;
    for (const part of others) if (isThere(part)) unlinkSync(part.path);
  }

  /** The descriptors of this process through which the file and its log can still be read; undefined without `/proc`. */
  held(): { readonly descriptor: string; readonly target: string }[] | undefined {
    const folder = "/proc/self/fd";
    try {
      const open = readdirSync(folder).map((number) => ({ number, at: stats(`${folder}/${number}`) }));
      return this.#parts.slice(0, 2).flatMap(({ device, inode }) => {
        const found = open.find(({ at }) => at?.ino === inode && at.dev === device);
        return found
          ? [
              {
                descriptor: `/proc/${process.pid}/fd/${found.number}`,
                target: readlinkSync(`${folder}/${found.number}`),
              },
            ]
          : [];
      });
    } catch {
      // Only Linux has these names.
      return undefined;
    }
  }
}

const isThere = ({ path, device, inode }: Part): boolean => {
  const now = stats(path);
  return now?.ino === inode && now.dev === device;
};

/** Null where nothing is there; undefined where the system does not say, as where a folder may not be entered. */
function stats(path: string): Stats | null | undefined {
  try {
    return statSync(path);
  } catch (error) {
    return isAbsent(error) ? null : undefined;
  }
}
