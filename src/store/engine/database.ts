import type { Unavailable } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import type { Dialect, Query } from "./query.ts";
import type { Values } from "./statement.ts";

export interface Step {
  readonly query: Query<unknown, unknown>;
  readonly values: Values;
  /** The statement finds at most one row. PostgreSQL runs such lookups of several units as one statement. */
  readonly findsOne?: true;
  /**
   * The unit does not use the result: PostgreSQL gets the next statement, or the commit, before it has
   * answered this one. If the statement fails, the unit fails.
   */
  readonly unread?: true;
}

export interface Result {
  readonly rows: readonly unknown[];
  /** Rows written, or rows returned if the statement returns rows. */
  readonly changes: number;
}

/** What a unit gets as the result of an `unread` statement; `changes` is 1 because it may have written. */
export const unreadResult: Result = { rows: [], changes: 1 };

/**
 * A unit of work is a generator that yields statements. SQLite runs it from start to end without giving up
 * the thread, so no other write comes between; PostgreSQL awaits each statement on one connection.
 *
 * A unit may run more than once: SQLite repeats all writes of a transaction when one of them fails;
 * PostgreSQL repeats a write after a conflict (five runs at most), a unit whose group was rolled back, and a
 * read that turns out to have several statements. Only the last run counts. So a unit changes nothing but the
 * database, and keeps its notes in its own local variables. Tests run units twice
 * (`test/support/rehearsal.ts`).
 */
export type Work<T> = Generator<Step, T, Result>;

/** `saved`: on disk before it is acknowledged. `relaxed`: a power cut may lose the last moments. */
export type Durability = "saved" | "relaxed";

type RunUnit = <A extends readonly unknown[], T>(work: (...values: A) => Work<T>, ...values: A) => Promise<T>;

/** How `readCached` keeps an answer and how long it may use it. */
export interface CachedRead {
  /** Identifies the answer among all cached ones: the unit, and every argument that changes its answer. */
  readonly key: string;
  /** Only `writeFor` with this key, and any `write`, end the cached answer. */
  readonly lock?: string;
  /**
   * Oldest answer allowed, ms; null for any answer that still stands. SQLite sees writes of other processes
   * within 5 ms; PostgreSQL does not report them, so null always reads anew there.
   */
  readonly maxAgeMs: number | null;
  readonly now: Instant;
}

export interface ConnectionCounts {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
  /** How long the first that waits for a connection, or to join a transaction, does so, ms; 0 on SQLite, which has one. */
  readonly longestMs: number;
}

export interface Database {
  readonly dialect: Dialect;
  /** Runs a unit that changes nothing; all its statements see one state of the database. */
  readonly read: RunUnit;
  /**
   * As `read`, for what nearly every call reads. It may return an earlier answer, which callers must not
   * change. Any `write` of this process ends it, and any `writeFor` with its lock; no `writeRelaxed` does.
   */
  readonly readCached: <A extends readonly unknown[], T>(
    how: CachedRead,
    work: (...values: A) => Work<T>,
    ...values: A
  ) => Promise<T>;
  /** Ends cached answers of a lock, or all for null. Relaxed writes that change an answer must call it. */
  readonly endCached: (lock: string | null) => void;
  /** Runs all statements or none; resolves once they are on disk. */
  readonly write: RunUnit;
  /**
   * As `write`, for a unit that first locks the row of `key` and touches only rows that this lock covers
   * (such as those of a server). PostgreSQL runs such units in groups (`grouped-writes.ts`).
   */
  readonly writeFor: <A extends readonly unknown[], T>(
    key: string,
    work: (...values: A) => Work<T>,
    ...values: A
  ) => Promise<T>;
  /** As `write`, for counters and times of last use: a power cut may lose the newest ones. */
  readonly writeRelaxed: RunUnit;
  /**
   * Runs `work` under the named lock, which ends at the latest with its connection. Returns null if another
   * process holds the lock. Null instead of a function on SQLite, which has no such locks.
   */
  readonly tryAlone: (<T>(name: string, work: () => Promise<T>) => Promise<T | null>) | null;
  /** Connections of this process, and units of work that wait for a connection or for the next commit. */
  readonly connections: () => ConnectionCounts;
  /** Changes whenever another process or connection has written; null on PostgreSQL, which cannot tell. */
  readonly version: (() => number) | null;
  /** Why the database refuses writes, or reads too, until the operator repairs it; null if it does not. */
  readonly refusal: () => Unavailable | null;
  /** Whether the disk is full, as far as the writes of the last minute show. */
  readonly isDiskFull: () => boolean;
  close(): Promise<void>;
}

/** Where a unit is read that changes nothing: the database itself, or a replica of it. */
export type DatabaseReader = Pick<Database, "read">;

/** Reads whose answer may be two seconds late, from a read replica where there is one. */
export interface LateReads {
  /**
   * The replica, for an account that changed nothing lately in this process; else the database itself, the
   * same object as its caller knows. An account reads its own changes at once.
   */
  readonly readerFor: (accountId: string | null) => DatabaseReader;
  /** The account changed something: for some seconds it reads from the database itself. */
  readonly noteChange: (accountId: string) => void;
}

/** What `/metrics` says of a read replica. */
export interface ReplicaState {
  /** How far the replica is behind the database, ms; null as long as that is unknown. */
  readonly lagMs: () => number | null;
  /** Whether reads go to the replica now. */
  readonly isUsed: () => boolean;
}

export type UncachedDatabase = Omit<Database, "readCached" | "endCached" | "isDiskFull">;

/** A unit of work throws it to roll itself back and answer `value`. */
export class Undo<T> extends Error {
  readonly value: T;
  constructor(value: T) {
    super("undo");
    this.value = value;
  }
}

export function* all<P extends Values, R>(query: Query<P, R>, values: P): Generator<Step, R[], Result> {
  const { rows } = yield { query, values };
  return rows as R[];
}

export function* one<P extends Values, R>(query: Query<P, R>, values: P): Generator<Step, R | null, Result> {
  const { rows } = yield { query, values, findsOne: true };
  return (rows[0] as R | undefined) ?? null;
}

/** Returns the number of changed rows. */
export function* run<P extends Values>(query: Query<P, unknown>, values: P): Generator<Step, number, Result> {
  const { changes } = yield { query, values };
  return changes;
}

/** Runs a statement whose result the unit does not use. */
export function* runUnread<P extends Values>(
  query: Query<P, unknown>,
  values: P,
): Generator<Step, void, Result> {
  yield { query, values, unread: true };
}
