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
import { mergedOf, type MergedStatement } from "./merged.ts";
import { asPlace, Placeholder, type Statement } from "./statement.ts";
import type { Value } from "./table.ts";

/**
 * Kysely builds and types the SQL; it never runs it. Each query is compiled once per dialect, with a named
 * placeholder for each value, and runs as a prepared statement.
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

interface Statements extends Readonly<Record<Dialect, Statement>> {
  /** The form that runs for many sets of values at once on PostgreSQL; null if it cannot be derived. */
  readonly merged: MergedStatement | null;
}

export interface Query<P, R> {
  readonly name: string;
  readonly statements: Statements;
  /** Rows stay arrays of values in column order. */
  readonly asArrays?: true;
  /** Exists only for the compiler. */
  readonly types?: { params: P; row: R };
}

/**
 * Returns a placeholder for each property name, typed as the later value. Kysely only carries it to the
 * compiled statement's parameter list, where it is found again.
 */
const places = <P>(): P => new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as P;

let serial = 0;

/** Example: `query<{ id: string }>()((db, $) => db.selectFrom("server").where("id", "=", $.id))`. */
export const query =
  <P>() =>
  <R>(build: (db: Builder, $: P, dialect: Dialect) => Compilable<R>): Query<P, R> => {
    serial += 1;
    return { name: `q${serial}`, statements: compiledAtFirstUse(build) };
  };

/** The same query with rows as arrays: naming the columns of many rows takes longer than finding them. */
export const inArrays = <P, R, Row extends readonly Value[]>({
  name,
  statements,
}: Query<P, R>): Query<P, Row> => ({
  name,
  statements,
  asArrays: true,
});

/** Compiled at first use: compiling hundreds of statements in both dialects took a ninth of the start. */
function compiledAtFirstUse<P>(build: (db: Builder, $: P, dialect: Dialect) => Compilable): Statements {
  const compiled: { -readonly [Form in keyof Statements]?: Statements[Form] } = {};
  return {
    get sqlite() {
      return (compiled.sqlite ??= compile(build, "sqlite"));
    },
    get postgres() {
      return (compiled.postgres ??= compile(build, "postgres"));
    },
    get merged() {
      if (compiled.merged === undefined)
        compiled.merged = mergedOf(build(builders.postgres, places<P>(), "postgres"));
      return compiled.merged;
    },
  };
}

/**
 * SQLite looks at the value bound to a limit while it plans (`sqlite3ExprIsInteger`), so it plans the
 * statement again at each run: 40 to 100 µs for a statement of 5 µs. It does not look into a sum.
 */
const withUnknownLimit = (sql: string): string => sql.replaceAll(/\blimit \?/gu, "limit ? + 0");

function compile<P>(build: (db: Builder, $: P, dialect: Dialect) => Compilable, dialect: Dialect): Statement {
  const { sql, parameters } = build(builders[dialect], places<P>(), dialect).compile();
  return { sql: dialect === "sqlite" ? withUnknownLimit(sql) : sql, places: parameters.map(asPlace) };
}

/**
 * Locks the found rows against other writers, not against new references to them. SQLite has no such clause
 * and needs none: its writers run one at a time.
 */
export const forUpdate = <Q extends { forNoKeyUpdate(): Q }>(dialect: Dialect, select: Q): Q =>
  dialect === "postgres" ? select.forNoKeyUpdate() : select;

/** Where a newest-first list starts: a position later than any row. */
export const fromTop: TimePosition = { at: Number.MAX_SAFE_INTEGER, id: "" };

/** A placeholder for each column, under the column's name. */
export const placesOf = <Column extends string, Row extends Readonly<Record<Column, Value>>>(
  columns: readonly Column[],
  $: Row,
): Pick<Row, Column> =>
  Object.fromEntries(columns.map((column) => [column, $[column]])) as unknown as Pick<Row, Column>;
