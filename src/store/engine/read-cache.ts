import type { Instant } from "../../core/time.ts";
import type { CachedRead, Database, UncachedDatabase, Work } from "./database.ts";
import { withDiskRoom } from "./disk-room.ts";

/** Answers kept at most, those under a lock counted by their locks: one of a server's status takes some 3 kB. */
const mostAnswers = 2000;
/** How often SQLite is asked whether another process wrote, ms: the question takes 15 µs, a cached answer less than one. */
const elsewhereMs = 5;

/** What a unit of work answered. */
interface Entry {
  readonly value: unknown;
  readonly readAt: Instant;
}

type Answers = Map<string, Entry>;

/** Forgets the oldest beyond the most that are kept. */
function bound(kept: Map<string, unknown>): void {
  if (kept.size > mostAnswers) kept.delete(kept.keys().next().value as string);
}

/**
 * Answers of units of work, kept until something is written: those under a lock until a unit with that lock writes, all
 * of them until any other unit does. Relaxed writes end none, and so count calls only, or end by `endCached` what they
 * change. The map of a lock is replaced when it ends, so that a read which began before keeps its answer nowhere.
 */
class ReadCache {
  readonly #db: UncachedDatabase;
  #free: Answers = new Map();
  #locked = new Map<string, Answers>();
  #version: number | null = null;
  #versionAt = -Infinity;

  constructor(db: UncachedDatabase) {
    this.#db = db;
  }

  /** What was not found is not kept: callers without a credential could fill the cache with it. */
  async read<A extends readonly unknown[], T>(
    { key, lock, maxAgeMs, now }: CachedRead,
    work: (...values: A) => Work<T>,
    ...values: A
  ): Promise<T> {
    if (maxAgeMs === null && this.#db.version === null) return this.#db.read(work, ...values);
    this.#noteElsewhere();
    const answers = this.#of(lock);
    const hit = answers.get(key);
    if (hit && (maxAgeMs === null || Math.abs(now - hit.readAt) <= maxAgeMs)) return hit.value as T;
    const value = await this.#db.read(work, ...values);
    if (value === null || this.#of(lock) !== answers) return value;
    answers.delete(key);
    answers.set(key, { value, readAt: now });
    bound(answers);
    return value;
  }

  #of(lock: string | undefined): Answers {
    if (lock === undefined) return this.#free;
    const known = this.#locked.get(lock);
    if (known) return known;
    const made: Answers = new Map();
    this.#locked.set(lock, made);
    bound(this.#locked);
    return made;
  }

  /** Whatever another process wrote may be in any answer. */
  #noteElsewhere(): void {
    const { version } = this.#db;
    if (version === null) return;
    const at = performance.now();
    if (at - this.#versionAt < elsewhereMs) return;
    this.#versionAt = at;
    const found = version();
    if (found !== this.#version) this.end(null);
    this.#version = found;
  }

  /** Ends the answers under a lock; null: every answer. */
  end(lock: string | null): void {
    if (lock !== null) return void this.#locked.delete(lock);
    this.#free = new Map();
    this.#locked = new Map();
  }

  /** Ends answers once the unit has ended: who reads after it was acknowledged reads anew. */
  async ending<T>(lock: string | null, writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } finally {
      this.end(lock);
    }
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
    endCached: (lock) => cache.end(lock),
    write: (work, ...values) => cache.ending(null, db.write(work, ...values)),
    writeFor: (key, work, ...values) => cache.ending(key, db.writeFor(key, work, ...values)),
  };
}
