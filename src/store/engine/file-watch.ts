import { statSync } from "node:fs";
import type Sqlite from "better-sqlite3";
import { Unavailable } from "../../core/errors.ts";
import { makePrivateFile } from "../private-file.ts";
import type { DatabaseFile, FileTrouble } from "./database-file.ts";

export type TellOperator = (level: "error" | "info", words: string) => void;

/** Time between two checks of the files while nothing is written, ms. */
const lookMs = 2000;
/** Time before a failed copy is tried again, ms. */
const againMs = 60_000;

/**
 * Tells the operator once of each thing that happens to the database file, and copies a file that was removed
 * or replaced while this process still has it open.
 */
export class FileWatch {
  readonly #file: DatabaseFile;
  readonly #db: Sqlite.Database;
  readonly #tell: TellOperator;
  readonly #timer: NodeJS.Timeout;
  #reported: FileTrouble | null = null;
  #reportedRights: string | null = null;
  #rescue: Promise<void> | null = null;
  #rescuedAs: string | null = null;
  #failedAt: number | null = null;

  constructor(file: DatabaseFile, db: Sqlite.Database, tell: TellOperator) {
    this.#file = file;
    this.#db = db;
    this.#tell = tell;
    this.#timer = setInterval(() => {
      this.look();
      this.#lookAtRights();
    }, lookMs).unref();
  }

  /** Why nothing may be written; null if the files are still the opened ones. */
  look(): Unavailable | null {
    this.#note(this.#file.look());
    return this.refusal;
  }

  /** A changed mode does not affect open files. The operator hears of it before a start or backup fails. */
  #lookAtRights(): void {
    const why = this.#file.trouble === null ? this.#file.whyNotOpened() : null;
    if (why !== null && why !== this.#reportedRights)
      this.#tell(
        "error",
        `The database file ${this.#file.path} cannot be opened any more (${why}): its mode or its folder's was changed. The service goes on with the file that it has open; backups and the next start fail until this user may read and write it again.`,
      );
    this.#reportedRights = why;
  }

  get refusal(): Unavailable | null {
    const { trouble } = this.#file;
    return trouble === null ? null : new Unavailable(null, trouble);
  }

  #note(trouble: FileTrouble | null): void {
    if (trouble !== this.#reported) {
      this.#reported = trouble;
      if (trouble === null)
        this.#tell("info", `The database file ${this.#file.path} is back, and is written to again.`);
      else this.#tell("error", this.#words(trouble));
    }
    if (trouble !== null && trouble !== "truncated") this.#save();
  }

  #words(trouble: FileTrouble): string {
    const { path } = this.#file;
    if (trouble === "truncated")
      return (
        `Another program cut the database file ${path} off. Nothing is read or written any more, and what it held is lost. ` +
        `Stop the service, and restore the newest backup: tickmark restore FILE --replace.`
      );
    const movedTo = this.#file.movedTo();
    if (trouble === "removed" && typeof movedTo === "string" && movedTo !== path)
      return `The database file ${path} was moved to ${movedTo} while the service runs. Nothing is written until it is back, with its -wal and -shm files: move it back, or stop the service.`;
    const what = trouble === "removed" ? "removed" : "replaced by another file";
    const reads =
      trouble === "removed" ? "Nothing is written any more." : "Nothing is read or written any more.";
    return (
      `The database file ${path}, or its -wal or -shm file, was ${what} while the service runs. ${reads} All that was ` +
      `acknowledged before is in the file that this process still holds: do not stop it before the copy is made that the next entry names.`
    );
  }

  /** Copies the file that this process has open to a path beside it; a failed copy is repeated later. */
  #save(): void {
    if (this.#rescue !== null || this.#rescuedAs !== null) return;
    if (this.#failedAt !== null && performance.now() - this.#failedAt < againMs) return;
    if (this.#file.trouble !== "replaced" && !this.#file.isHeldAlone()) return;
    this.#rescue = this.#copy().finally(() => {
      this.#rescue = null;
    });
  }

  async #copy(): Promise<void> {
    const { path } = this.#file;
    const copy = `${path}.rescued-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
    try {
      makePrivateFile(copy);
      await this.#db.backup(copy);
      this.#rescuedAs = copy;
      this.#file.removeLeftLog();
      this.#tell(
        "error",
        `The database was saved as ${copy} (${statSync(copy).size} bytes), with everything that was acknowledged. Stop the service. To go on with this copy: remove ${path}, ${path}-wal and ${path}-shm where they are, rename the copy to ${path}, and start the service.`,
      );
    } catch (error) {
      this.#failedAt = performance.now();
      const held = this.#file.held() ?? [];
      const where =
        held.length === 0 ? "" : ` They are ${held.map(({ descriptor }) => descriptor).join(" and -wal ")}.`;
      this.#tell(
        "error",
        `The database could not be saved as ${copy} (${error instanceof Error ? error.message : String(error)}). It is tried again in a minute: make room for it, and do not stop the service, which alone holds the files.${where}`,
      );
    }
  }

  /** Waits for a copy in progress. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#rescue;
  }
}
