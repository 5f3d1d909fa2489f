import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Compilable,
} from "kysely";
import type { TimePosition } from "../../core/position.ts";
import type { Tables } from "../tables.ts";
import type { Value } from "./table.ts";

/**
 * Kysely builds and types the SQL; it never runs it. Each query is compiled once for each dialect that runs it, with named
 * places where values go, and then runs as a prepared statement.
 */
export type Dialect = "sqlite" | "postgres";
export type Builder = Kysely<Tables>;

const builders: Record<Dialect, Builder> = {
  sqlite: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  postgres: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};

export type Values = Readonly<Record<string, Value>>;

/** One prepared statement: its text, and which value goes to which place. */
export interface Statement {
  readonly sql: string;
  readonly places: readonly (Placeholder | Value)[];
}

export interface Query<P, R> {
  readonly name: string;
  readonly statements: Readonly<Record<Dialect, Statement>>;
  /** Rows stay arrays of values in the order of the columns. */
  readonly asArrays?: true;
  /** Exists only for the compiler: what goes in and what comes out. */
  readonly types?: { params: P; row: R };
}

/** Stands in the SQL where the value of that name goes. */
export class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A place for each name asked of it, typed as the value that will stand there. The builder only carries it to
 * the compiled statement's parameter list, where it is found again.
 */
const places = <P>(): P => new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as P;

let serial = 0;

/** Declares a query: `query<{ id: string }>()((db, $) => db.selectFrom("server").where("id", "=", $.id).selectAll())`. */
export const query =
  <P>() =>
  <R>(build: (db: Builder, $: P, dialect: Dialect) => Compilable<R>): Query<P, R> => {
    serial += 1;
    return { name: `q${serial}`, statements: compiledAtFirstUse(build) };
  };

/** The same query for many rows: naming their columns takes longer than finding them. */
export const inArrays = <P, R, Row extends readonly Value[]>({
  name,
  statements,
}: Query<P, R>): Query<P, Row> => ({
  name,
  statements,
  asArrays: true,
});

/**
 * The service declares hundreds of statements and runs them on one database: compiling all of them in both dialects
 * took a ninth of its start.
 */
function compiledAtFirstUse<P>(
  build: (db: Builder, $: P, dialect: Dialect) => Compilable,
): Query<P, unknown>["statements"] {
  const compiled: Partial<Record<Dialect, Statement>> = {};
  return {
    get sqlite() {
      return (compiled.sqlite ??= compile(build, "sqlite"));
    },
    get postgres() {
      return (compiled.postgres ??= compile(build, "postgres"));
    },
  };
}

/**
 * SQLite looks at the value that is bound to a limit while it plans (`sqlite3ExprIsInteger`), and so plans the statement
 * again at each run: 40 to 100 µs for one that takes 5 µs. It does not look into a sum.
 */
const withUnknownLimit = (sql: string): string => sql.replaceAll(/\blimit \?/gu, "limit ? + 0");

function compile<P>(build: (db: Builder, $: P, dialect: Dialect) => Compilable, dialect: Dialect): Statement {
  const { sql, parameters } = build(builders[dialect], places<P>(), dialect).compile();
  return { sql: dialect === "sqlite" ? withUnknownLimit(sql) : sql, places: parameters.map(asPlace) };
}

/** Bytes are values of a row, never part of a statement. */
function asPlace(parameter: unknown): Placeholder | Value {
  if (
    parameter instanceof Placeholder ||
    typeof parameter === "string" ||
    typeof parameter === "number" ||
    parameter === null
  )
    return parameter;
  throw new Error(`A query holds a value that is not text, a number or null: ${String(parameter)}`);
}

/**
 * Locks the rows a query finds against other writers, not against rows that only refer to them. SQLite has no
 * such clause and needs none: its writers wait for each other.
 */
export const forUpdate = <Q extends { forNoKeyUpdate(): Q }>(dialect: Dialect, select: Q): Q =>
  dialect === "postgres" ? select.forNoKeyUpdate() : select;

/** Where a newest-first list starts: later than any row. */
export const fromTop: TimePosition = { at: Number.MAX_SAFE_INTEGER, id: "" };

/** The values in the order of the statement's places. */
export function bind({ places }: Statement, values: Values): Value[] {
  const bound: Value[] = [];
  for (const place of places) bound.push(place instanceof Placeholder ? (values[place.name] ?? null) : place);
  return bound;
}

/** A place for each of a row's columns, under the column's own name. */
export const placesOf = <Column extends string, Row extends Readonly<Record<Column, Value>>>(
  columns: readonly Column[],
  $: Row,
): Pick<Row, Column> =>
  Object.fromEntries(columns.map((column) => [column, $[column]])) as unknown as Pick<Row, Column>;
