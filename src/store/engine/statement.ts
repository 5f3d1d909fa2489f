import type { Value } from "./table.ts";

export type Values = Readonly<Record<string, Value>>;

/** Stands in the SQL where the value of that name goes. */
export class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export type Place = Placeholder | Value;

/** One prepared statement: its text, and which value goes to which place. */
export interface Statement {
  readonly sql: string;
  readonly places: readonly Place[];
}

/** Bytes are values of a row, never part of a statement. */
export function asPlace(parameter: unknown): Place {
  if (
    parameter instanceof Placeholder ||
    typeof parameter === "string" ||
    typeof parameter === "number" ||
    parameter === null
  )
    return parameter;
  throw new Error(`A query holds a value that is not text, a number or null: ${String(parameter)}`);
}

/** The value that goes to a place. */
export const valueAt = (place: Place, values: Values): Value =>
  place instanceof Placeholder ? (values[place.name] ?? null) : place;

/** The values in the order of the statement's places. */
export function bind({ places }: Statement, values: Values): Value[] {
  const bound: Value[] = [];
  for (const place of places) bound.push(valueAt(place, values));
  return bound;
}
