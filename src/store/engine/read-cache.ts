import type { Instant } from "../../core/time.ts";
import type { CachedRead, Database, UncachedDatabase, Work } from "./database.ts";
import { withDiskRoom } from "./disk-room.ts";

/** Most locks, most answers per lock, and most without a lock. A server's status takes about 3 kB. */
const mostAnswers = 2000;
/** How often SQLite is asked for others' writes, ms: the question takes 15 µs, a cached answer under 1. */
const elsewhereMs = 5;

interface Entry {
  readonly value: unknown;
  readonly readAt: Instant;
}

type Answers = Map<string, Entry>;

function bound(kept: Map<string, unknown>): void {
  if (kept.size > mostAnswers) kept.delete(kept.keys().next().value as string);
}

/**
 * Keeps answers until something is written. An answer with a lock ends when a unit with that lock writes; all
 * end when any other unit writes. Relaxed writes end none: they only count calls, or call `endCached`. Ending
 * replaces the map, so a read that began before stores its answer where nobody reads it.
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

  /** Null is not cached: callers without a credential could fill the cache with it. */
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

  /** A write of another process may change any answer, so all of them end. */
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

  /** Ends the answers of a lock, or all answers for null. */
  end(lock: string | null): void {
    if (lock !== null) return void this.#locked.delete(lock);
    this.#free = new Map();
    this.#locked = new Map();
  }

  /** Ends answers after the write ended, so that a read after its acknowledgement reads anew. */
  async ending<T>(lock: string | null, writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } finally {
      this.end(lock);
    }
  }
}

/** Adds `readCached`, `endCached` and `isDiskFull` to a database. */
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
