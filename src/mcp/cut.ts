import { isJsonObject } from "../contract/json-body.ts";
import { toWire } from "./wire.ts";

type JsonObject = Record<string, unknown>;

/** Members that break a measurement down further than most questions go. */
const details = ["regions", "worlds_top"];

/** Every object and array of a JSON value, itself included. */
function* containers(value: unknown): Generator<JsonObject | unknown[]> {
  if (!Array.isArray(value) && !isJsonObject(value)) return;
  yield value;
  for (const member of Object.values(value)) yield* containers(member);
}

/** Takes the details out of a JSON value, in place. */
export function dropDetails(root: unknown): void {
  for (const container of containers(root)) {
    if (Array.isArray(container)) continue;
    for (const name of details) delete container[name];
  }
}

/** Members whose arrays are columns of one table: cut together, or they would no longer stand beside each other. */
const tables = ["columns", "columns_min", "columns_max"];

const columnsOf = (container: JsonObject): unknown[][] =>
  tables
    .flatMap((name) => (isJsonObject(container[name]) ? Object.values(container[name]) : []))
    .filter((column) => Array.isArray(column));

/** What can be cut: single arrays, and the columns of a table as one. */
function* cuttable(root: unknown): Generator<readonly unknown[][]> {
  const inTables = new Set<unknown>();
  for (const container of containers(root)) {
    if (Array.isArray(container)) {
      if (!inTables.has(container)) yield [container];
      continue;
    }
    const columns = columnsOf(container);
    for (const column of columns) inTables.add(column);
    if (columns.length > 0) yield columns;
  }
}

/**
 * Takes as many entries off the end of the array (or table) that is longest as JSON as make up `excess`
 * characters on average, one at least, in place; answers how many.
 */
export function cutLongestArray(root: unknown, excess: number): number {
  let longest: readonly unknown[][] = [];
  let size = 0;
  for (const arrays of cuttable(root)) {
    if (arrays.every((array) => array.length === 0)) continue;
    const length = arrays.reduce((sum, array) => sum + toWire(array).length, 0);
    if (length > size) [longest, size] = [arrays, length];
  }
  const rows = Math.max(0, ...longest.map((array) => array.length));
  const kept = Math.max(0, rows - Math.ceil((excess / Math.max(1, size)) * rows));
  for (const array of longest) array.splice(kept);
  return rows - kept;
}
