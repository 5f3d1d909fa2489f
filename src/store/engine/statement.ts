import type { Value } from "./table.ts";

export type Values = Readonly<Record<string, Value>>;

/** Stands in the SQL for the value of that name. */
export class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export type Place = Placeholder | Value;

/** The SQL, and which value goes to which parameter. */
export interface Statement {
  readonly sql: string;
  readonly places: readonly Place[];
}

/** Throws for bytes: they may be bound as values, but not written into a query. */
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

export const valueAt = (place: Place, values: Values): Value =>
  place instanceof Placeholder ? (values[place.name] ?? null) : place;

/** The values in the order of the statement's parameters. */
export function bind({ places }: Statement, values: Values): Value[] {
  const bound: Value[] = [];
  for (const place of places) bound.push(valueAt(place, values));
  return bound;
}
