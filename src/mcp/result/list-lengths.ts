import { isJsonObject } from "../../contract/endpoint/json-body.ts";
import { toWire } from "./wire.ts";

export type JsonObject = Record<string, unknown>;

/** An array in an object, or the columns of a table, which are shortened together. */
export interface List {
  readonly arrays: readonly unknown[][];
  /** The object that holds the list, and the list's names in it. */
  readonly holder: JsonObject;
  readonly names: readonly string[];
  /** The number of arrays around it. */
  readonly depth: number;
}

/** Members whose arrays are the columns of one table. */
const tables = ["columns", "columns_min", "columns_max"];

const columnsOf = (holder: JsonObject): unknown[][] =>
  tables
    .flatMap((name) => (isJsonObject(holder[name]) ? Object.values(holder[name]) : []))
    .filter((column) => Array.isArray(column));

/** Every list in a JSON value. An array directly in an array is an entry, such as a pair of figures. */
export function* listsIn(value: unknown, depth = 0, columns?: ReadonlySet<unknown>): Generator<List> {
  if (Array.isArray(value)) {
    for (const entry of value) yield* listsIn(entry, depth + 1);
    return;
  }
  if (!isJsonObject(value)) return;
  const table = columnsOf(value);
  if (table.length > 0) yield { arrays: table, holder: value, names: tables, depth };
  const inTable = new Set<unknown>(table);
  for (const [name, member] of Object.entries(value)) {
    if (Array.isArray(member) && !columns?.has(member))
      yield { arrays: [member], holder: value, names: [name], depth };
    yield* listsIn(member, depth, inTable);
  }
}

export const entriesOf = ({ arrays }: List): number =>
  arrays.reduce((most, array) => Math.max(most, array.length), 0);

/** Characters of JSON. */
export const lengthOf = ({ arrays }: List, entry: number): number =>
  arrays.reduce((sum, array) => sum + (entry < array.length ? toWire(array[entry]).length + 1 : 0), 0);

/** Members that may count the entries that a list leaves out. */
const omittedCounts = (name: string): readonly string[] => [`${name}_omitted`, `omitted_${name}`];

/** Ways through calls and objects: where they leave something out, their first and last entries are shown. */
const ways: ReadonlySet<string> = new Set(["root_path", "frames"]);

/**
 * The entries of a list, those first that are kept the longest: from its start on. Of a way that leaves its
 * middle out, one of the start after every three of the end, which shows the outcome.
 */
export function keepingOrder(list: List): number[] {
  const entries = entriesOf(list);
  const order = Array.from({ length: entries }, (_, at) => at);
  if (!isTornInside(list)) return order;
  return order.map((at) => {
    const kept = Math.floor((at + 1) / 4);
    return (at + 1) % 4 === 0 ? kept - 1 : entries - (at + 1 - kept);
  });
}

const isTornInside = ({ holder, names }: List): boolean =>
  names.some(
    (name) => ways.has(name) && omittedCounts(name).some((count) => typeof holder[count] === "number"),
  );

/** Removes all other entries in place, and updates the counts and flags that describe the list. */
export function keep(list: List, kept: ReadonlySet<number>): void {
  const { arrays, holder, names } = list;
  const before = entriesOf(list);
  for (const array of arrays) {
    const left = array.filter((_, at) => kept.has(at));
    array.length = 0;
    for (const entry of left) array.push(entry);
  }
  const gone = before - entriesOf(list);
  if (gone > 0) for (const name of names) tellCut(holder, name, gone);
}

function tellCut(holder: JsonObject, name: string, gone: number): void {
  const flag = `${name}_truncated`;
  if (typeof holder[flag] === "boolean") holder[flag] = true;
  for (const count of omittedCounts(name)) {
    const before = holder[count];
    if (typeof before === "number") holder[count] = before + gone;
  }
}
