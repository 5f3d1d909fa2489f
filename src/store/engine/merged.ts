import {
  createQueryId,
  PostgresQueryCompiler,
  SelectQueryNode,
  type Compilable,
  type OperationNode,
} from "kysely";
import { asPlace, Placeholder, type Place } from "./statement.ts";

/**
 * One PostgreSQL statement in place of many runs of a query. The values of each placeholder come as one
 * array, and every row starts with the number of its run, from 1.
 */
export interface MergedStatement {
  readonly places: readonly Place[];
  readonly locks: boolean;
  /** The SQL for these PostgreSQL types of the places. `skips`: omits locked rows, does not wait for them. */
  text(types: readonly string[], skips: boolean): string;
}

/** The alias of the table of runs; no query of this project uses it. */
const runs = '"each_run"';
const run = `${runs}."run_number"`;
const compiler = new PostgresQueryCompiler();

/**
 * The values of all runs as a table: a column for each place, and the number of the run. The first array is
 * in a sub-select, which hides its length from the planner; otherwise PostgreSQL takes each short array for
 * cheaper than the generic plan, and plans the statement anew each time.
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

/** Derives the merged form of a query; null if the query writes or has no placeholders. */
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
