import fc from "fast-check";
import { expect } from "vitest";
import type { DeclaredTable, RecordOf, TableColumn, Value } from "../../../src/store/engine/table.ts";
import { anyCharacter } from "../../support/any-character.ts";

type AnyColumn = TableColumn<unknown, Value, string | null | undefined>;
type AnyTable = DeclaredTable<Readonly<Record<string, AnyColumn>>>;

const stored: Readonly<Record<AnyColumn["codec"]["type"], fc.Arbitrary<unknown>>> = {
  text: fc.string({ unit: anyCharacter }),
  integer: fc.maxSafeInteger(),
  real: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bytes: fc.uint8Array(),
};

const camelCase = (name: string): string =>
  name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const isFlag = ({ codec }: AnyColumn): boolean => codec.read?.(1 as never) === true;

function valueOf(column: AnyColumn): fc.Arbitrary<unknown> {
  const { codec } = column;
  const value =
    codec.type === "integer" && codec.read !== null && isFlag(column) ? fc.boolean() : stored[codec.type];
  return codec.isNullable ? fc.option(value, { nil: null }) : value;
}

/** Objects of the usual kind, as the mappings make them. */
const plain = { noNullPrototype: true } as const;

/** Random records of a table; `special` has the values of those columns whose values are of a narrower kind. */
export function recordsOf<T>(
  table: T,
  special: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<RecordOf<T>> {
  const flat: Record<string, fc.Arbitrary<unknown>> = {};
  const groups: Record<string, Record<string, fc.Arbitrary<unknown>>> = {};
  for (const [name, column] of Object.entries((table as AnyTable).declared)) {
    if (column.key === null) continue;
    const [key = "", member] = (column.key ?? camelCase(name)).split(".");
    const value = special[name] ?? valueOf(column);
    if (member === undefined) flat[key] = value;
    else (groups[key] ??= {})[member] = value;
  }
  const members = Object.entries(groups).map(([key, group]) => [key, fc.record(group, plain)] as const);
  return fc.record({ ...flat, ...Object.fromEntries(members) }, plain) as unknown as fc.Arbitrary<
    RecordOf<T>
  >;
}

/** Whatever record is written is read as the same. */
export function expectRoundTrip<T>(
  table: T,
  special: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): void {
  const { toRecord, toRow } = table as AnyTable;
  fc.assert(
    fc.property(recordsOf(table, special) as fc.Arbitrary<never>, (record) => {
      expect(toRecord(toRow(record))).toStrictEqual(record);
    }),
  );
}

/** The words of an enumeration. */
export const wordsOf = <T>({ options }: { readonly options: readonly T[] }): fc.Arbitrary<T> =>
  fc.constantFrom(...options);

/** Values that JSON holds as they are: it has no -0, and one member called __proto__ is no member. */
export const documents: fc.Arbitrary<unknown> = fc
  .jsonValue()
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
  .filter((value) => value !== null && !JSON.stringify(value).includes("__proto__"));
