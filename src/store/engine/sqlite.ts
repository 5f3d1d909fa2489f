import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type Sqlite from "better-sqlite3";
import { Undo, type Database, type Durability, type Result, type Work } from "./database.ts";
import { keepNewInMemory, newInMemory } from "./new-in-memory.ts";
import { migrateSqlite } from "./migrate-sqlite.ts";
import { prepare, type Prepared } from "./prepared.ts";
import type { Query } from "./query.ts";
import { withReadCache } from "./read-cache.ts";
import { bind } from "./statement.ts";
import { asUnavailable, isBusy, patiently } from "./sqlite-failures.ts";
import { openSqliteConnection } from "./sqlite-library.ts";

/** How long a write waits for another process's write before it is refused, ms. */
const defaultBusyTimeoutMs = 5000;

/** How many times as long a start waits: another process may be bringing the same file up to date. */
const startPatience = 6;

/** How much of that SQLite may wait inside the thread at a time, and the rest between two attempts, ms. */
const blockedMs = 10;
const retryMs = 5;

/**
 * So many pages of the write-ahead log are moved into the file at a time, by the commit that fills it. With random pages
 * this takes 3 to 5 ms of the thread; the 1,000 pages of SQLite's default take 20 ms and more.
 */
const checkpointPages = 100;

/**
 * One connection to one file: a second one would drop this one's page cache with each of its commits. How
 * durable a commit is, is set before it; where one of its members has to be saved, all are.
 */
class Connection {
  readonly db: Sqlite.Database;
  readonly #statements = new Map<Query<unknown, unknown>, Prepared>();
  readonly #begin: Sqlite.Statement;
  readonly #commit: Sqlite.Statement;
  readonly #rollback: Sqlite.Statement;
  readonly #mark: Sqlite.Statement;
  readonly #release: Sqlite.Statement;
  readonly #undo: Sqlite.Statement;
  #durability: Durability = "saved";
  #queue: AnyMember[] = [];
  readonly #busyTimeoutMs: number;
  /** Since when another process keeps writes from beginning, and when it was last met; null while none does. */
  #locked: { readonly since: number; met: number } | null = null;

  /** `source`: the path of a file, or the bytes of a database that is continued in memory. */
  constructor(source: string | Buffer, busyTimeoutMs: number) {
    this.#busyTimeoutMs = busyTimeoutMs;
    const patienceMs = startPatience * busyTimeoutMs;
    this.db = openSqliteConnection(source, { timeout: patienceMs });
    patiently(patienceMs, () => this.db.pragma("journal_mode = WAL"));
    this.db.pragma("synchronous = FULL");
    this.db.pragma("foreign_keys = ON");
    this.db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
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

  /** Runs a unit of work from its first statement to its last without giving up the thread. */
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
    if (toRow === null) return { rows: [], changes: statement.run(values).changes };
    const found = statement.all(values) as unknown[][];
    return { rows: query.asArrays ? found : found.map(toRow), changes: found.length };
  }

  /**
   * Joins the transaction of this turn of the event loop: all writes that arrive together are committed
   * together, each undone alone when it fails, and none is acknowledged before the commit.
   */
  enqueue<T>(durability: Durability, work: () => Work<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) setImmediate(() => this.#flush());
      this.#queue.push(new Member(durability, work, resolve, reject));
    });
  }

  /** Writes that wait for their commit. */
  get waiting(): number {
    return this.#queue.length;
  }

  #flush(): void {
    const members = this.#queue;
    this.#queue = [];
    if (members.length === 0) return;
    try {
      if (this.db.inTransaction) this.#rollback.run();
      this.#setDurability(members.some(({ durability }) => durability === "saved") ? "saved" : "relaxed");
      if (!this.#tryTogether(members)) this.#runApart(members);
    } catch (error) {
      this.#leave();
      const mayWait = isBusy(error) ? this.#patience() : () => false;
      for (const member of members) {
        if (mayWait(member)) this.#queue.push(member);
        else member.fail(error);
      }
      // Nothing of those that wait is written, and the thread serves reads meanwhile.
      if (this.#queue.length > 0) setTimeout(() => this.#flush(), retryMs);
      return;
    }
    if (this.#locked !== null) this.#blockFor(blockedMs);
    this.#locked = null;
    for (const member of members) member.settle();
  }

  /**
   * Which writes go on waiting for another process's lock: each for its own time. Once the lock has been held for all
   * of that, counters wait no longer, nor does the thread: a read that cannot be counted is to be answered at once.
   */
  #patience(): (member: AnyMember) => boolean {
    const now = performance.now();
    // Between two locks that were met so long after each other there was a time without.
    if (this.#locked === null || now - this.#locked.met > this.#busyTimeoutMs)
      this.#locked = { since: now, met: now };
    this.#locked.met = now;
    const isLong = now - this.#locked.since >= this.#busyTimeoutMs;
    this.#blockFor(isLong ? 0 : blockedMs);
    return ({ since, durability }) =>
      now - since < this.#busyTimeoutMs && !(isLong && durability === "relaxed");
  }

  #blockFor(ms: number): void {
    this.db.pragma(`busy_timeout = ${Math.min(ms, this.#busyTimeoutMs)}`);
  }

  /** Another value whenever another connection has committed. */
  version(): number {
    return this.db.pragma("data_version", { simple: true }) as number;
  }

  /** From here on the thread is never blocked for long: who waits for a lock waits in the queue. */
  serve(): void {
    this.#blockFor(blockedMs);
  }

  /** The first failure is reported already; a rollback that fails as well is tried again before the next transaction. */
  #leave(): void {
    try {
      if (this.db.inTransaction) this.#rollback.run();
    } catch {
      return;
    }
  }

  #setDurability(durability: Durability): void {
    if (durability === this.#durability) return;
    this.db.pragma(`synchronous = ${durability === "saved" ? "FULL" : "NORMAL"}`);
    this.#durability = durability;
  }

  /** The usual case, that nobody fails, costs no savepoints; false, and nothing written, when somebody did. */
  #tryTogether(members: readonly AnyMember[]): boolean {
    this.#begin.run();
    for (const member of members) {
      if (member.attempt(this)) continue;
      if (this.db.inTransaction) this.#rollback.run();
      return members.length === 1;
    }
    this.#commit.run();
    return true;
  }

  /** Runs the members again, each undone alone when it fails. */
  #runApart(members: readonly AnyMember[]): void {
    this.#begin.run();
    for (const member of members) {
      this.#mark.run();
      if (!member.attempt(this)) {
        // Some failures (a full disk) end the whole transaction: then there is nothing left to undo.
        if (!this.db.inTransaction) throw member.error;
        this.#undo.run();
      }
      this.#release.run();
    }
    this.#commit.run();
  }

  /** Closes when every write that waits has ended, without blocking the thread. Closing twice is closing once. */
  async close(): Promise<void> {
    while (this.#queue.length > 0) await delay(retryMs);
    if (this.db.open) this.db.close();
  }
}

type AnyMember = Pick<Member<unknown>, "since" | "durability" | "attempt" | "settle" | "fail" | "error">;

/** One unit of work waiting for the commit it shares with others. */
class Member<T> {
  readonly since = performance.now();
  readonly durability: Durability;
  readonly #work: () => Work<T>;
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: unknown) => void;
  #settle: () => void = () => {};
  error: unknown = null;

  constructor(
    durability: Durability,
    work: () => Work<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.durability = durability;
    this.#work = work;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** False when what it wrote has to be undone. */
  attempt(connection: Connection): boolean {
    try {
      const value = connection.finish(this.#work);
      this.#settle = () => this.#resolve(value);
      return true;
    } catch (error) {
      this.error = error;
      this.#settle = error instanceof Undo ? () => this.#resolve(error.value as T) : () => this.fail(error);
      return false;
    }
  }

  settle(): void {
    this.#settle();
  }

  fail(error: unknown): void {
    this.#reject(asUnavailable(error));
  }
}

/**
 * Opens (and where needed creates) a database file and brings its schema up to date. `:memory:` makes one that
 * lives as long as the process.
 */
export function openSqlite(path: string, busyTimeoutMs = defaultBusyTimeoutMs): Database {
  const inMemory = path === ":memory:";
  if (!inMemory) makePrivateFile(path);
  const connection = new Connection(inMemory ? newInMemory() : path, busyTimeoutMs);
  migrateSqlite(connection.db);
  if (inMemory) keepNewInMemory(connection.db);
  connection.serve();
  return withReadCache({
    dialect: "sqlite",
    read: async (work, ...values) => asAvailable(() => connection.finish(() => work(...values))),
    write: (work, ...values) => connection.enqueue("saved", () => work(...values)),
    writeFor: (_, work, ...values) => connection.enqueue("saved", () => work(...values)),
    writeRelaxed: (work, ...values) => connection.enqueue("relaxed", () => work(...values)),
    tryAlone: null,
    connections: () => ({ open: 1, idle: 0, waiting: connection.waiting }),
    version: () => asAvailable(() => connection.version()),
    close: () => connection.close(),
  });
}

/** What the database answers; throws Unavailable where it cannot be used. */
function asAvailable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Password hashes and fingerprints of tokens stand in it: nobody else on the machine may read the file. */
export function makePrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
}
