import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { Unavailable } from "../core/errors.ts";
import { Undo, type Database, type Durability, type Result, type Work } from "./database.ts";
import { migrations } from "./migrations/registry.ts";
import { bind, type Query } from "./query.ts";

/** How long a statement waits for another process's write, ms. */
const busyTimeoutMs = 5000;

/** Two connections to one file, because durability is a connection's setting; one when it lives in memory. */
interface Connections {
  readonly saved: Connection;
  readonly counted: Connection;
}

class Connection {
  readonly db: Sqlite.Database;
  readonly #statements = new Map<Query<unknown, unknown>, Sqlite.Statement>();
  readonly #begin: Sqlite.Statement;
  readonly #commit: Sqlite.Statement;
  readonly #rollback: Sqlite.Statement;
  readonly #mark: Sqlite.Statement;
  readonly #release: Sqlite.Statement;
  readonly #undo: Sqlite.Statement;
  #queue: AnyMember[] = [];

  constructor(path: string, durability: Durability) {
    this.db = new Sqlite(path, { timeout: busyTimeoutMs });
    this.db.pragma("journal_mode = WAL");
    this.db.pragma(`synchronous = ${durability === "saved" ? "FULL" : "NORMAL"}`);
    this.db.pragma("foreign_keys = ON");
    this.#begin = this.db.prepare("BEGIN IMMEDIATE");
    this.#commit = this.db.prepare("COMMIT");
    this.#rollback = this.db.prepare("ROLLBACK");
    this.#mark = this.db.prepare("SAVEPOINT work");
    this.#release = this.db.prepare("RELEASE work");
    this.#undo = this.db.prepare("ROLLBACK TO work");
  }

  #prepare(query: Query<unknown, unknown>): Sqlite.Statement {
    let statement = this.#statements.get(query);
    if (!statement) {
      statement = this.db.prepare(query.statements.sqlite.sql);
      this.#statements.set(query, statement);
    }
    return statement;
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
    const statement = this.#prepare(query);
    if (!statement.reader) return { rows: [], changes: statement.run(values).changes };
    const rows = statement.all(values);
    return { rows, changes: rows.length };
  }

  /**
   * Joins the transaction of this turn of the event loop: all writes that arrive together are committed
   * together, each undone alone when it fails, and none is acknowledged before the commit.
   */
  enqueue<T>(work: () => Work<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) setImmediate(() => this.#flush());
      this.#queue.push(new Member(work, resolve, reject));
    });
  }

  #flush(): void {
    const members = this.#queue;
    this.#queue = [];
    try {
      this.#begin.run();
      for (const member of members) this.#runMember(member, members.length > 1);
      this.#commit.run();
    } catch (error) {
      if (this.db.inTransaction) this.#rollback.run();
      for (const member of members) member.fail(error);
      return;
    }
    for (const member of members) member.settle();
  }

  /** A unit of work alone in its transaction needs no savepoint to be undone. */
  #runMember(member: AnyMember, shared: boolean): void {
    if (shared) this.#mark.run();
    if (member.attempt(this)) {
      if (shared) this.#release.run();
      return;
    }
    // Some failures (a full disk) end the whole transaction: then there is nothing left to undo.
    if (!this.db.inTransaction) throw member.error;
    if (shared) {
      this.#undo.run();
      this.#release.run();
    } else {
      this.#rollback.run();
      this.#begin.run();
    }
  }

  close(): void {
    if (this.#queue.length > 0) this.#flush();
    this.db.close();
  }
}

type AnyMember = Pick<Member<unknown>, "attempt" | "settle" | "fail" | "error">;

/** One unit of work waiting for the commit it shares with others. */
class Member<T> {
  readonly #work: () => Work<T>;
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: unknown) => void;
  #settle: () => void = () => {};
  error: unknown = null;

  constructor(work: () => Work<T>, resolve: (value: T) => void, reject: (error: unknown) => void) {
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

/** Failures of the machine rather than of a statement: the caller may try again. */
const unavailableCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)/;

function asUnavailable(error: unknown): unknown {
  return error instanceof Sqlite.SqliteError && unavailableCodes.test(error.code) ? new Unavailable(error) : error;
}

/**
 * Opens (and where needed creates) a database file and brings its schema up to date. `:memory:` makes one that
 * lives as long as the process.
 */
export function openSqlite(path: string): Database {
  const inMemory = path === ":memory:";
  if (!inMemory) mkdirSync(dirname(path), { recursive: true });
  const saved = new Connection(path, "saved");
  migrate(saved.db);
  const connections: Connections = { saved, counted: inMemory ? saved : new Connection(path, "counted") };
  return {
    dialect: "sqlite",
    read: async (work) => {
      try {
        return connections.saved.finish(work);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    write: (durability, work) => connections[durability].enqueue(work),
    close: async () => {
      connections.saved.close();
      if (connections.counted !== connections.saved) connections.counted.close();
    },
  };
}

function migrate(db: Sqlite.Database): void {
  db.exec("CREATE TABLE IF NOT EXISTS schema_migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
  const known = db.prepare<[], { id: number }>("SELECT id FROM schema_migration");
  const note = db.prepare("INSERT INTO schema_migration (id, name) VALUES (?, ?)");
  const apply = db.transaction(() => {
    const applied = new Set(known.all().map(({ id }) => id));
    for (const { id, name, statements } of migrations) {
      if (applied.has(id)) continue;
      for (const statement of statements) db.exec(statement.replace("{{clustered}}", "WITHOUT ROWID"));
      note.run(id, name);
    }
  });
  // The lock comes first: of several processes that start together one migrates, the others find it done.
  apply.immediate();
}
