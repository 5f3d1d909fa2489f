import type { fdatasync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type Sqlite from "better-sqlite3";
import { Checkpoints } from "./checkpoints.ts";
import type { Durability, Result, Work } from "./database.ts";
import { LockPatience } from "./lock-patience.ts";
import { LogSync } from "./log-sync.ts";
import { prepare, type Prepared } from "./prepared.ts";
import type { Query } from "./query.ts";
import { QueuedWrite, type AnyQueuedWrite } from "./queued-write.ts";
import { Unavailable } from "../../core/errors.ts";
import { afterCalls } from "../../core/turns.ts";
import { bind } from "./statement.ts";
import { DatabaseFile } from "./database-file.ts";
import { FileWatch, type TellOperator } from "./file-watch.ts";
import { asReadOnlyDisk } from "./read-only-disk.ts";
import { asUnsynced, isBusy, patiently } from "./sqlite-failures.ts";
import { isSqliteError, openSqliteConnection } from "./sqlite-library.ts";

/** A start waits this many times the busy time-out: another process may be upgrading the same file. */
const startPatience = 6;

/** Time between two attempts to write, ms. */
const retryMs = 5;

/** A transaction takes further queued writes for this time, ms; the rest goes into the next one. */
const togetherMs = 6;

/**
 * A commit that finds this many pages (16 MB) in the log moves them into the file itself. This happens if
 * checkpoints fall behind or a few commits are that large.
 */
const mostLogPages = 4000;

/** Connections that must not be closed, nor be garbage-collected, which would close them. */
const abandoned = new Set<SqliteConnection>();

/**
 * One connection to one file: commits of a second one would drop the first one's page cache. A commit leaves
 * its pages with the system; they are on disk after a sync of the log, which `saved` writes wait for.
 */
export class SqliteConnection {
  readonly db: Sqlite.Database;
  readonly #statements = new Map<Query<unknown, unknown>, Prepared>();
  readonly #begin: Sqlite.Statement;
  readonly #commit: Sqlite.Statement;
  readonly #rollback: Sqlite.Statement;
  readonly #mark: Sqlite.Statement;
  readonly #release: Sqlite.Statement;
  readonly #undo: Sqlite.Statement;
  /** Null if SQLite syncs each commit itself, and for a database in memory. */
  readonly #log: LogSync | null;
  /** Null for a database in memory. */
  readonly #path: string | null;
  readonly #checkpoints: Checkpoints | null;
  /** Whether the current transaction changed a row. */
  #hasWritten = false;
  /** A sync failed: earlier commits may be missing on disk, and later ones would be lost with them. */
  #isLogBroken = false;
  #queue: AnyQueuedWrite[] = [];
  /** Null for a database in memory, and before `serve`. */
  #file: FileWatch | null = null;
  readonly #patience: LockPatience;

  /** `source`: a file's path, or the bytes of a database to continue in memory. `sync` syncs the log. */
  constructor(source: string | Buffer, busyTimeoutMs: number, sync: typeof fdatasync) {
    const patienceMs = startPatience * busyTimeoutMs;
    this.db = openSqliteConnection(source, { timeout: patienceMs });
    this.#patience = new LockPatience(this.db, busyTimeoutMs);
    let mode: unknown = null;
    patiently(patienceMs, () => (mode = this.db.pragma("journal_mode = WAL", { simple: true })));
    const hasLog = mode === "wal" && typeof source === "string";
    this.#path = hasLog ? source : null;
    this.#log = hasLog ? new LogSync(source, sync) : null;
    this.#checkpoints = hasLog ? new Checkpoints(source) : null;
    this.db.pragma(`synchronous = ${this.#log === null ? "FULL" : "NORMAL"}`);
    this.db.pragma("foreign_keys = ON");
    this.db.pragma(`wal_autocheckpoint = ${mostLogPages}`);
    this.#begin = this.db.prepare("BEGIN IMMEDIATE");
    this.#commit = this.db.prepare("COMMIT");
    this.#rollback = this.db.prepare("ROLLBACK");
    this.#mark = this.db.prepare("SAVEPOINT work");
    this.#release = this.db.prepare("RELEASE work");
    this.#undo = this.db.prepare("ROLLBACK TO work");
  }

  #prepare(query: Query<unknown, unknown>): Prepared {
    let prepared = this.#statements.get(query);
    if (!prepared) {
      prepared = prepare(this.db.prepare(query.statements.sqlite.sql));
      this.#statements.set(query, prepared);
    }
    return prepared;
  }

  /** Runs a unit of work from start to end without giving up the thread. */
  finish<T>(work: () => Work<T>): T {
    const steps = work();
    let step = steps.next();
    while (!step.done) {
      const { query, values } = step.value;
      step = steps.next(this.#execute(query, bind(query.statements.sqlite, values)));
    }
    return step.value;
  }

  #execute(query: Query<unknown, unknown>, values: unknown[]): Result {
    const { statement, toRow } = this.#prepare(query);
    if (toRow === null) {
      const { changes } = statement.run(values);
      this.#hasWritten ||= changes > 0;
      return { rows: [], changes };
    }
    const found = statement.all(values) as unknown[][];
    this.#hasWritten ||= found.length > 0 && !statement.readonly;
    return { rows: query.asArrays ? found : found.map(toRow), changes: found.length };
  }

  /**
   * Queues a write for the transaction of this or a later pass of the event loop. Writes that arrive together
   * are committed together; a failed one is rolled back alone, and none is acknowledged before the commit.
   */
  enqueue<T>(durability: Durability, work: () => Work<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) this.#schedule();
      this.#queue.push(new QueuedWrite(durability, work, resolve, reject));
    });
  }

  /** Writes that wait for their commit or its sync. */
  get waiting(): number {
    return this.#queue.length + (this.#log?.waiting ?? 0);
  }

  #schedule(): void {
    afterCalls(() => this.#flush());
  }

  #flush(): void {
    const waiting = this.#queue;
    this.#queue = [];
    if (waiting.length === 0) return;
    let members = waiting;
    try {
      if (this.db.inTransaction) this.#rollback.run();
      this.#requireFile();
      if (this.#isLogBroken) this.#emptyLog();
      this.#hasWritten = false;
      const { attempted, isEnded } = this.#tryTogether(waiting);
      members = waiting.slice(0, attempted);
      if (!isEnded) this.#runApart(members);
    } catch (failure) {
      this.#leave();
      const error = this.#path === null ? failure : asReadOnlyDisk(failure, this.#path);
      const mayWait = isBusy(error) ? this.#patience.met() : () => false;
      for (const member of waiting) {
        if (mayWait(member)) this.#queue.push(member);
        else member.fail(error);
      }
      // Nothing of the waiting writes is stored yet; the thread serves reads until the next attempt.
      if (this.#queue.length > 0) setTimeout(() => this.#flush(), retryMs);
      return;
    }
    this.#patience.ended();
    this.#queue = waiting.slice(members.length);
    if (this.#queue.length > 0) this.#schedule();
    if (this.#hasWritten) {
      this.#checkpoints?.committed();
      this.#log?.written();
    }
    if (this.#log === null) settle(members);
    else this.#settleOnDisk(members, this.#log);
  }

  /** Acknowledges relaxed writes at once, and saved writes when they are on disk. */
  #settleOnDisk(members: readonly AnyQueuedWrite[], log: LogSync): void {
    settle(members.filter(({ durability }) => durability === "relaxed"));
    const saved = members.filter(({ durability }) => durability === "saved");
    if (saved.length === 0) return;
    log.synced().then(
      () => {
        // A write into a file that was removed or replaced meanwhile is not saved.
        const refusal = this.#file?.look() ?? null;
        if (refusal === null) return settle(saved);
        for (const member of saved) member.fail(refusal);
        return undefined;
      },
      (error: unknown) => {
        this.#isLogBroken = true;
        for (const member of saved) member.fail(asUnsynced(error));
      },
    );
  }

  #requireFile(): void {
    // A closed connection has no log; its statements report that it is closed.
    if (!this.db.open) return;
    const refusal = this.#file?.look() ?? null;
    if (refusal !== null) throw refusal;
  }

  /** Why the file may not be used any more; null while it is the opened one. */
  get refusal(): Unavailable | null {
    return this.#file?.refusal ?? null;
  }

  /**
   * After a failed sync the system counts the log's pages as written, though the disk may lack them. So they
   * are moved into the file, which is synced anew; while that fails too, nothing can be written.
   */
  #emptyLog(): void {
    this.db.pragma("synchronous = FULL");
    const [moved] = this.db.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    if (moved?.busy !== 0) throw new Unavailable(null, "locked");
    this.db.pragma("synchronous = NORMAL");
    this.#isLogBroken = false;
  }

  /** Changes whenever another connection has committed. */
  version(): number {
    return this.db.pragma("data_version", { simple: true }) as number;
  }

  /** From now on the thread blocks only briefly for a lock, and a lost or replaced file is not written. */
  serve(tell: TellOperator): void {
    this.#patience.serve();
    if (this.#path !== null)
      this.#file = new FileWatch(new DatabaseFile(this.#path, () => this.#bytes()), this.db, tell);
  }

  /** The database's size, bytes; the largest number if the remaining file does not even tell that. */
  #bytes(): number {
    const of = (what: string): number => this.db.pragma(what, { simple: true }) as number;
    try {
      return of("page_count") * of("page_size");
    } catch (error) {
      if (isSqliteError(error)) return Number.MAX_SAFE_INTEGER;
      throw error;
    }
  }

  /** The first failure is already reported; a failed rollback is repeated before the next transaction. */
  #leave(): void {
    try {
      if (this.db.inTransaction) this.#rollback.run();
    } catch {
      return;
    }
  }

  /** Usually no member fails, so it uses no savepoints. If one fails, everything is rolled back. */
  #tryTogether(members: readonly AnyQueuedWrite[]): { attempted: number; isEnded: boolean } {
    const since = performance.now();
    let attempted = 0;
    this.#begin.run();
    for (const member of members) {
      attempted += 1;
      if (!member.attempt(this)) {
        if (this.db.inTransaction) this.#rollback.run();
        // If the only member failed, the rollback was all there was to do.
        return { attempted, isEnded: attempted === 1 };
      }
      if (performance.now() - since > togetherMs) break;
    }
    this.#commit.run();
    return { attempted, isEnded: true };
  }

  /** Runs the members again, each with a savepoint, so that a failed one is rolled back alone. */
  #runApart(members: readonly AnyQueuedWrite[]): void {
    this.#begin.run();
    for (const member of members) {
      this.#mark.run();
      if (!member.attempt(this)) {
        // Some failures (a full disk) end the whole transaction, so there is nothing left to roll back.
        if (!this.db.inTransaction) throw member.error;
        this.#undo.run();
      }
      this.#release.run();
    }
    this.#commit.run();
  }

  /** Closes after all waiting writes, without blocking the thread. May be called twice. */
  async close(): Promise<void> {
    while (this.#queue.length > 0) await delay(retryMs);
    await Promise.all([this.#log?.close(), this.#checkpoints?.close(), this.#file?.close()]);
    // On close SQLite would remove the log at that path, which belongs to another database by now.
    if (this.#file?.look()) abandoned.add(this);
    else if (this.db.open) this.db.close();
  }
}

function settle(members: readonly AnyQueuedWrite[]): void {
  for (const member of members) member.settle();
}
