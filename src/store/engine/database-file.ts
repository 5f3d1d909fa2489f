import { accessSync, constants, readdirSync, readlinkSync, statSync, unlinkSync, type Stats } from "node:fs";
import { failureCode, isAbsent } from "../../core/failure-code.ts";

export type FileTrouble = "removed" | "replaced" | "truncated";

/** The log and its index are part of the database: without the log its newest commits are lost. */
const suffixes = ["", "-wal", "-shm"];

interface Part {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

/**
 * The database file in use, with its log. SQLite goes on writing to a file that was removed or replaced, and
 * those writes are lost when the process ends; so each commit first checks that the paths still lead to the
 * opened files. It uses stat only: opening and closing a file would drop SQLite's locks on it.
 */
export class DatabaseFile {
  readonly path: string;
  readonly #parts: readonly Part[];
  readonly #bytesOfPages: () => number;
  #size: number;
  #isTruncated = false;
  #trouble: FileTrouble | null = null;

  /** Remembers the files as they are now. `bytesOfPages`: the database's size by its page count, bytes. */
  constructor(path: string, bytesOfPages: () => number) {
    this.path = path;
    this.#bytesOfPages = bytesOfPages;
    this.#size = statSync(path).size;
    this.#parts = suffixes.map((suffix) => {
      const { dev: device, ino: inode } = statSync(path + suffix);
      return { path: path + suffix, device, inode };
    });
  }

  get trouble(): FileTrouble | null {
    return this.#trouble;
  }

  /** Checks the files now. A moved file that is back is used again; a truncated file stays refused. */
  look(): FileTrouble | null {
    this.#trouble = this.#found();
    return this.#trouble;
  }

  #found(): FileTrouble | null {
    // The database file is checked first: a log beside another file is not ours either.
    for (const { path, device, inode } of this.#parts) {
      const now = stats(path);
      if (now === null) return "removed";
      // The system did not say; the open files are as good as at the last look.
      if (now === undefined) return this.#trouble;
      if (now.ino !== inode || now.dev !== device) return "replaced";
      if (path === this.path) this.#measure(now.size);
    }
    return this.#isTruncated ? "truncated" : null;
  }

  /**
   * Only a checkpoint after VACUUM makes the file shorter; pages still missing are then in the log. If more
   * is missing than the log can hold, another program truncated the file.
   */
  #measure(size: number): void {
    const isShorter = size < this.#size;
    this.#size = size;
    if (isShorter && (size === 0 || this.#bytesOfPages() - size > (stats(`${this.path}-wal`)?.size ?? 0)))
      this.#isTruncated = true;
  }

  /** The present path of the opened file, from `/proc`; null if it was deleted, undefined without `/proc`. */
  movedTo(): string | null | undefined {
    const held = this.held();
    if (held === undefined) return undefined;
    const path = held[0]?.target ?? null;
    return path === null || path.endsWith(" (deleted)") ? null : path;
  }

  /** The system's error code if this process may no longer open the file; null if it may. */
  whyNotOpened(): string | null {
    try {
      accessSync(this.path, constants.R_OK | constants.W_OK);
      return null;
    } catch (error) {
      return failureCode(error);
    }
  }

  /** Whether a part of the database was unlinked, so that only this process can still read it. */
  isHeldAlone(): boolean {
    return (this.held() ?? []).some(({ target }) => target.endsWith(" (deleted)"));
  }

  /**
   * Removes the opened log and index if the opened file is no longer at its path: SQLite would replay this
   * log into whatever file is opened at that path next.
   */
  removeLeftLog(): void {
    const [file, ...others] = this.#parts;
    if (file === undefined || isThere(file)) return;
    for (const part of others) if (isThere(part)) unlinkSync(part.path);
  }

  /** Open descriptors of the file and its log, with the paths they lead to; undefined without `/proc`. */
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
      // Only Linux has `/proc/self/fd`.
      return undefined;
    }
  }
}

const isThere = ({ path, device, inode }: Part): boolean => {
  const now = stats(path);
  return now?.ino === inode && now.dev === device;
};

/** Null if the file does not exist; undefined if the system does not say (no access to the folder). */
function stats(path: string): Stats | null | undefined {
  try {
    return statSync(path);
  } catch (error) {
    return isAbsent(error) ? null : undefined;
  }
}
