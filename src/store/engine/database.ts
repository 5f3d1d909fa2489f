import type { Unavailable } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import type { Dialect, Query } from "./query.ts";
import type { Values } from "./statement.ts";

/** One statement to run, with its values. */
export interface Step {
  readonly query: Query<unknown, unknown>;
  readonly values: Values;
  /** It finds one row at most: PostgreSQL looks up those of several units with one statement. */
  readonly findsOne?: true;
  /**
   * The unit goes on without the result: PostgreSQL is sent the next statement, or the commit, before it has answered
   * this one. Where the statement fails, so does the unit.
   */
  readonly unread?: true;
}

export interface Result {
  readonly rows: readonly unknown[];
  /** Rows written; rows returned where the statement returns rows. */
  readonly changes: number;
}

/** Stands for the result of a statement whose unit does not read it: it may have changed something. */
export const unreadResult: Result = { rows: [], changes: 1 };

/**
 * A unit of work is a generator that yields statements: SQLite runs it to the end without leaving the thread,
 * so that no other request's write can come between, PostgreSQL awaits each statement on one connection.
 *
 * A unit may be run more than once: SQLite runs all writes of a turn again when one of them fails; PostgreSQL runs a
 * write again that met another one, up to five times, one whose group was undone, and a read that turns out to have
 * several statements. Only what the last run did stands. So a unit changes nothing but the database: what it notes
 * elsewhere it notes in variables of its own, and it takes nothing that is gone after the first run. In tests units are
 * run twice (`test/support/rehearsal.ts`).
 */
export type Work<T> = Generator<Step, T, Result>;

/** `saved`: on disk before it is acknowledged. `relaxed`: a power cut may lose the last moments. */
export type Durability = "saved" | "relaxed";

/** Runs a unit of work with these arguments: `db.read(selectServer, id, viewer)`. */
type RunUnit = <A extends readonly unknown[], T>(work: (...values: A) => Work<T>, ...values: A) => Promise<T>;

/** How an answer that was read before may be given again. */
export interface CachedRead {
  /** Names the answer among all that are kept: the unit, and whatever of its arguments changes what it answers. */
  readonly key: string;
  /** The key of `writeFor` whose units alone, beside those of `write`, change the answer. */
  readonly lock?: string;
  /**
   * The oldest answer that is given, ms; null: any that still stands. What other processes write is seen at once on
   * SQLite (within 5 ms); PostgreSQL does not say it, so null reads anew each time there.
   */
  readonly maxAgeMs: number | null;
  readonly now: Instant;
}

export interface Database {
  readonly dialect: Dialect;
  /** Runs statements that change nothing; all of them see the database as it is at the first. */
  readonly read: RunUnit;
  /**
   * As `read`, for what nearly every call reads: may give the answer of an earlier run, which nobody may change. It ends
   * once this process has run any `write`, or a `writeFor` of its lock; `writeRelaxed` ends nothing.
   */
  readonly readCached: <A extends readonly unknown[], T>(
    how: CachedRead,
    work: (...values: A) => Work<T>,
    ...values: A
  ) => Promise<T>;
  /** Ends the cached answers under a lock, null all of them: for a relaxed write that changes what they say. */
  readonly endCached: (lock: string | null) => void;
  /** Runs all statements or none of them; they are on disk before it resolves. */
  readonly write: RunUnit;
  /**
   * As `write`, for a unit that begins with locking the row of `key` and touches only what this lock covers, as that of
   * a server does. PostgreSQL runs such units in groups (`grouped-writes.ts`), SQLite all writes.
   */
  readonly writeFor: <A extends readonly unknown[], T>(
    key: string,
    work: (...values: A) => Work<T>,
    ...values: A
  ) => Promise<T>;
  /** As `write`, for counters and marks of use: a power cut may lose the last moments of them. */
  readonly writeRelaxed: RunUnit;
  /**
   * Runs `work` while holding the lock of that name, which ends with its holder's connection at the latest; null
   * when somebody else holds it. Null itself where the database has no such locks.
   */
  readonly tryAlone: (<T>(name: string, work: () => Promise<T>) => Promise<T | null>) | null;
  /** The connections of this process, and how many units of work wait for one, or for the next commit. */
  readonly connections: () => { readonly open: number; readonly idle: number; readonly waiting: number };
  /** Another value whenever another process, or another connection, has written; null where the database says nothing. */
  readonly version: (() => number) | null;
  /** Why nothing is written any more, or nothing read either, until the operator mends it; null while nothing is known. */
  readonly refusal: () => Unavailable | null;
  /** Whether the disk has no room for what is to be saved, as far as the writes of the last minute show. */
  readonly isDiskFull: () => boolean;
  close(): Promise<void>;
}

export type UncachedDatabase = Omit<Database, "readCached" | "endCached" | "isDiskFull">;

/** Thrown inside a unit of work: undoes it and answers `value`. */
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

/** How many rows the statement changed. */
export function* run<P extends Values>(query: Query<P, unknown>, values: P): Generator<Step, number, Result> {
  const { changes } = yield { query, values };
  return changes;
}

/** Runs the statement where nothing that follows depends on its result. */
export function* runUnread<P extends Values>(
  query: Query<P, unknown>,
  values: P,
): Generator<Step, void, Result> {
  yield { query, values, unread: true };
}
