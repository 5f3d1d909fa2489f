import {
  createQueryId,
  PostgresQueryCompiler,
  SelectQueryNode,
  type Compilable,
  type OperationNode,
} from "kysely";
import { asPlace, Placeholder, type Place } from "./statement.ts";

/**
 * One statement on PostgreSQL in place of many runs of the same query that finds rows: the values of each place come as
 * one array, and every row that it returns begins with the number of the run that it belongs to, from 1 on.
 */
export interface MergedStatement {
  readonly places: readonly Place[];
  /** Whether it locks the rows that it finds. */
  readonly locks: boolean;
  /** Its text, given PostgreSQL's type of each place; `skips`: locked rows are left out instead of waited for. */
  text(types: readonly string[], skips: boolean): string;
}

/** The table of all runs; no query of ours calls a table like this. */
const runs = '"each_run"';
const run = `${runs}."run_number"`;
const compiler = new PostgresQueryCompiler();

/**
 * The values of all runs as a table: a column for each place, and the number of the run. PostgreSQL does not look into
 * a sub-select while it plans: with the length of the array in sight it takes each short one for cheaper than any, and
 * plans the statement anew each time.
 */
function membersTable(types: readonly string[]): string {
  const arrays = types.map((type, index) =>
    index === 0 ? `(select $1::${type}[])` : `$${index + 1}::${type}[]`,
  );
  const names = types.map((_, index) => `"p${index + 1}"`);
  return `unnest(${arrays.join(", ")}) with ordinality as ${runs}(${names.join(", ")}, "run_number")`;
}

const nodeOf = (query: Compilable): OperationNode | null =>
  "toOperationNode" in query ? (query as { toOperationNode(): OperationNode }).toOperationNode() : null;

/** Derives the form for many runs from the query itself; null for one that writes, or has no places. */
export function mergedOf(query: Compilable): MergedStatement | null {
  const node = nodeOf(query);
  if (node === null || !SelectQueryNode.is(node) || node.with) return null;
  const { sql, parameters } = compiler.compileQuery(node, createQueryId());
  const places = parameters.map(asPlace);
  if (!places.some((place) => place instanceof Placeholder)) return null;
  const locks = node.endModifiers?.some(({ modifier }) => modifier === "ForNoKeyUpdate") ?? false;
  const inner = sql.replaceAll(/\$(\d+)/gu, `${runs}."p$1"`);
  return {
    places,
    locks,
    text: (types, skips) =>
      `select ${run}, "q".* from ${membersTable(types)}, lateral (${inner}${skips && locks ? " skip locked" : ""}) as "q"`,
  };
}
