import type { Instant } from "../../core/time.ts";
import type { CachedRead, Database, Result, Step, UncachedDatabase, Work } from "./database.ts";
import { withDiskRoom } from "./disk-room.ts";
import { tablesOf } from "./statement-tables.ts";
import type { Query } from "./query.ts";

/** Answers kept of each unit of work, at most: one of a server's status takes some 3 kB. */
const mostAnswers = 2000;
/** Keys whose last write is known, at most. */
const mostLocks = 10_000;
/** How often SQLite is asked whether another process wrote, ms: the question takes 15 µs, a cached answer less than one. */
const elsewhereMs = 5;

/** What a unit of work answered, and when in the order of writes it began to read. */
interface Entry {
  readonly value: unknown;
  readonly began: number;
  readonly readAt: Instant;
  readonly tables: readonly string[];
  readonly lock: string | null;
}

/** The statements that a unit of work ran, with the rows that each changed or answered in all of its runs. */
type Seen = Map<Query<unknown, unknown>, number>;

/**
 * A unit of work whose statements are noted before they run: one that is not answered may have been. Every call of the
 * service writes, and a generator around the generator of the unit takes three times as long as this.
 */
class ObservedWork<T> implements Work<T> {
  readonly #work: Work<T>;
  readonly #seen: Seen;
  #running: Query<unknown, unknown> | null = null;

  constructor(work: Work<T>, seen: Seen) {
    this.#work = work;
    this.#seen = seen;
  }

  next(...[result]: [] | [Result]): IteratorResult<Step, T> {
    if (result !== undefined && this.#running !== null && result.changes > 0)
      this.#seen.set(this.#running, (this.#seen.get(this.#running) ?? 0) + result.changes);
    // A unit that has not begun takes no result.
    const step = result === undefined ? this.#work.next() : this.#work.next(result);
    this.#running = step.done ? null : step.value.query;
    if (this.#running !== null && !this.#seen.has(this.#running)) this.#seen.set(this.#running, 0);
    return step;
  }

  return(value: T): IteratorResult<Step, T> {
    return this.#work.return(value);
  }

  throw(error: unknown): IteratorResult<Step, T> {
    return this.#work.throw(error);
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/**
 * Answers that stand until something they were read from is written. Which tables a unit reads or writes is known from
 * the statements it runs, so no writer has to know what is cached. A deletion of rows ends every answer: it may delete
 * those of other tables with them.
 */
class ReadCache {
  readonly #db: UncachedDatabase;
  readonly #answers = new Map<object, Map<string, Entry>>();
  /** Counts the writes of this process. */
  #writes = 0;
  /** The value of the count at the last write to each table, by a unit without a lock. */
  readonly #tables = new Map<string, number>();
  /** The same by units with a lock, whatever the lock. */
  readonly #lockedTables = new Map<string, number>();
  /** The same by lock. */
  #locks = new Map<string, number>();
  /** What was read before this value of the count is over. */
  #everything = 0;
  #version: number | null = null;
  #versionAt = -Infinity;

  constructor(db: UncachedDatabase) {
    this.#db = db;
  }

  /** What was not found is not kept: callers without a credential could fill the cache with it. */
  async read<A extends readonly unknown[], T>(
    how: CachedRead,
    work: (...values: A) => Work<T>,
    ...values: A
  ): Promise<T> {
    const hit = this.#answers.get(work)?.get(how.key);
    if (hit !== undefined && this.#stands(hit, how)) return hit.value as T;
    return this.#readAnew(how, work, values);
  }

  async #readAnew<A extends readonly unknown[], T>(
    { key, lock, maxAgeMs, now }: CachedRead,
    work: (...values: A) => Work<T>,
    values: A,
  ): Promise<T> {
    if (maxAgeMs === null && this.#db.version === null) return this.#db.read(work, ...values);
    this.#noteElsewhere();
    const began = this.#writes;
    const seen: Seen = new Map();
    const value = await this.#db.read(() => new ObservedWork(work(...values), seen));
    if (value === null) return value;
    const tables = [...seen.keys()].flatMap((query) => tablesOf(query, this.#db.dialect).read);
    const answers = this.#answers.get(work) ?? new Map<string, Entry>();
    this.#answers.set(work, answers);
    answers.delete(key);
    answers.set(key, { value, began, readAt: now, tables: [...new Set(tables)], lock: lock ?? null });
    if (answers.size > mostAnswers) answers.delete(answers.keys().next().value as string);
    return value;
  }

  #stands({ began, readAt, tables, lock }: Entry, { maxAgeMs, now }: CachedRead): boolean {
    this.#noteElsewhere();
    if (began < this.#everything) return false;
    if (maxAgeMs !== null && Math.abs(now - readAt) > maxAgeMs) return false;
    if (lock !== null && (this.#locks.get(lock) ?? 0) > began) return false;
    for (const table of tables) {
      if ((this.#tables.get(table) ?? 0) > began) return false;
      if (lock === null && (this.#lockedTables.get(table) ?? 0) > began) return false;
    }
    return true;
  }

  /** Whatever another process wrote may be in any table. */
  #noteElsewhere(): void {
    const { version } = this.#db;
    if (version === null) return;
    const at = performance.now();
    if (at - this.#versionAt < elsewhereMs) return;
    this.#versionAt = at;
    const found = version();
    if (found !== this.#version) this.#endAll();
    this.#version = found;
  }

  #endAll(): void {
    this.#writes += 1;
    this.#everything = this.#writes;
    this.#answers.clear();
    this.#locks = new Map();
  }

  /**
   * Runs a writing unit and ends what was read from the tables it wrote, once it has ended: who reads after it was
   * acknowledged reads anew, and who began before it keeps nothing. `lock`: the key that the unit locks.
   */
  async write<T>(
    lock: string | null,
    work: () => Work<T>,
    through: (work: () => Work<T>) => Promise<T>,
  ): Promise<T> {
    const seen: Seen = new Map();
    try {
      return await through(() => new ObservedWork(work(), seen));
    } finally {
      this.#noteWritten(seen, lock);
    }
  }

  #noteWritten(seen: Seen, lock: string | null): void {
    this.#writes += 1;
    for (const [query, changes] of seen) {
      const { written, deletes } = tablesOf(query, this.#db.dialect);
      if (deletes && changes > 0) return this.#endAll();
      for (const table of written)
        (lock === null ? this.#tables : this.#lockedTables).set(table, this.#writes);
    }
    if (lock === null) return;
    this.#locks.set(lock, this.#writes);
    if (this.#locks.size > mostLocks) this.#endAll();
  }
}

/** The database with `readCached` over it, and with what its writes say of the disk. */
export function withReadCache(plain: UncachedDatabase): Database {
  const { db, isDiskFull } = withDiskRoom(plain);
  const cache = new ReadCache(db);
  return {
    ...db,
    isDiskFull,
    readCached: (how, work, ...values) => cache.read(how, work, ...values),
    write: (work, ...values) => cache.write(null, () => work(...values), db.write),
    writeFor: (key, work, ...values) =>
      cache.write(
        key,
        () => work(...values),
        (unit) => db.writeFor(key, unit),
      ),
    writeRelaxed: (work, ...values) => cache.write(null, () => work(...values), db.writeRelaxed),
  };
}
