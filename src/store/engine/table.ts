import type { z } from "zod";

/** Bytes are BLOB in SQLite and BYTEA in PostgreSQL; both drivers read them as Buffer, which is one. */
export type Value = string | number | null | Uint8Array;

/** The database's type of a column; instants are BIGINT milliseconds, flags 0 or 1, documents JSON text in both. */
type StoredType = "text" | "integer" | "real" | "bytes";

type Mapping = (value: never) => unknown;

/** How a column's value differs from the record's: `null` where it does not. */
interface Codec {
  readonly type: StoredType;
  readonly isNullable: boolean;
  readonly read: Mapping | null;
  readonly write: Mapping | null;
  /** Whether the mappings see null as well. */
  readonly mapsNull: boolean;
  /** Turns a text of the database's into a value, and names the column when it cannot. */
  readonly isJson: boolean;
}

/** Where a column stands in the record: under a name of its own, nowhere (null), or under the column's name. */
type Key = string | null | undefined;

/** One column: `V` is its value in the record, `S` its value in the database, `K` its name in the record. */
export class TableColumn<V, S extends Value, K extends Key = undefined> {
  readonly codec: Codec;
  readonly key: K;
  /** Exists only for the compiler. */
  readonly types?: { value: V; stored: S };

  constructor(codec: Codec, key: K) {
    this.codec = codec;
    this.key = key;
  }

  get nullable(): TableColumn<V | null, S | null, K> {
    return new TableColumn({ ...this.codec, isNullable: true }, this.key);
  }

  /** Names the property of the record; `notify.email` is the member `email` of the property `notify`. */
  as<Name extends string>(name: Name): TableColumn<V, S, Name> {
    return new TableColumn(this.codec, name);
  }

  /** The column is no property of the record: statements name it themselves. */
  get aside(): TableColumn<V, S, null> {
    return new TableColumn(this.codec, null);
  }
}

const column = <V, S extends Value>(type: StoredType, codec: Partial<Codec> = {}): TableColumn<V, S> =>
  new TableColumn<V, S, undefined>(
    { type, isNullable: false, read: null, write: null, mapsNull: false, isJson: false, ...codec },
    undefined,
  );

export const text = column<string, string>("text");
export const instant = column<number, number>("integer");
export const integer = column<number, number>("integer");
export const real = column<number, number>("real");
export const bytes = column<Uint8Array, Uint8Array>("bytes");
export const flag = column<boolean, number>("integer", {
  read: (stored: number) => stored === 1,
  write: (value: boolean) => (value ? 1 : 0),
});

/** A text that this program alone writes, as one of a type's words; it is not checked again. */
export const textOf = <T extends string>(): TableColumn<T, string> => column<T, string>("text");

/** One of an enumeration's words; anything else in the database is an error. */
export const oneOf = <T extends string>(words: z.ZodType<T>): TableColumn<T, string> =>
  column("text", { read: (stored: string) => words.parse(stored) });

/** JSON text that must be of the schema's form; the value is the one that was written, with nothing left out. */
export const checkedJson = <T>(schema: z.ZodType<T>): TableColumn<T, string> =>
  column("text", {
    isJson: true,
    read: (stored: string) => {
      const value: unknown = JSON.parse(stored);
      schema.parse(value);
      return value;
    },
    write: (value: unknown) => JSON.stringify(value),
  });

/** JSON text that this program alone writes, and whose form was checked when it was written. */
export const jsonOf = <T>(): TableColumn<T, string> =>
  column("text", {
    isJson: true,
    read: (stored: string) => JSON.parse(stored) as unknown,
    write: (value: unknown) => JSON.stringify(value),
  });

/** A column with mappings of its own; they see null too. */
export const mapped = <V, S extends Value>(
  type: StoredType,
  read: (stored: S) => V,
  write: (value: V) => S,
): TableColumn<V, S> => column(type, { read, write, mapsNull: true });

type Columns = Readonly<Record<string, TableColumn<unknown, Value, Key>>>;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type KeyOf<Name, C> =
  C extends TableColumn<unknown, Value, infer K>
    ? [K] extends [string]
      ? K
      : [K] extends [null]
        ? never
        : CamelCase<Name & string>
    : never;

type ValueOf<C> = C extends TableColumn<infer V, Value, Key> ? V : never;
type StoredOf<C> = C extends TableColumn<unknown, infer S, Key> ? S : never;

type GroupOf<K> = K extends `${infer Group}.${string}` ? Group : never;
type FlatOf<K> = K extends `${string}.${string}` ? never : K;
type MemberOf<K, Group extends string> = K extends `${Group}.${infer Member}` ? Member : never;

/** The columns that are properties of the record. */
type Own<C extends Columns> = {
  [N in keyof C & string]: [KeyOf<N, C[N]>] extends [never] ? never : N;
}[keyof C & string];

type Keys<C extends Columns> = { [N in keyof C]: KeyOf<N, C[N]> }[keyof C];

type Row<C extends Columns> = { [N in keyof C]: StoredOf<C[N]> };

type DomainRecord<C extends Columns> = {
  readonly [N in keyof C as FlatOf<KeyOf<N, C[N]>> & string]: ValueOf<C[N]>;
} & {
  readonly [Group in GroupOf<Keys<C>>]: {
    readonly [N in keyof C as MemberOf<KeyOf<N, C[N]>, Group> & string]: ValueOf<C[N]>;
  };
};

/** A table as it is declared: its columns, and the mappings between its rows and the records of the domain. */
export interface DeclaredTable<C extends Columns> {
  readonly name: string;
  readonly declared: C;
  readonly columns: readonly (keyof C & string)[];
  /** The columns that make up a record. */
  readonly own: readonly Own<C>[];
  /** The columns that make up a record, of a table that a statement calls by another name. */
  readonly of: <Alias extends string>(alias: Alias) => `${Alias}.${Own<C>}`[];
  readonly toRecord: (row: Readonly<Pick<Row<C>, Own<C>>>) => DomainRecord<C>;
  readonly toRow: (record: DomainRecord<C>) => Pick<Row<C>, Own<C>>;
}

/** A row of a declared table. */
export type RowOf<T> = T extends DeclaredTable<infer C> ? Row<C> : never;

/** The columns of a row that make up a record. */
export type OwnRowOf<T> = T extends DeclaredTable<infer C> ? Pick<Row<C>, Own<C>> : never;

/** The record that a row of a declared table is read as. */
export type RecordOf<T> = T extends DeclaredTable<infer C> ? DomainRecord<C> : never;

const camelCase = (name: string): string =>
  name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

interface Field {
  readonly column: string;
  readonly path: readonly string[];
  readonly codec: Codec;
}

const isName = (name: string): boolean => /^[a-z]\w*$/i.test(name);

function fieldOf(column: string, { key, codec }: TableColumn<unknown, Value, Key>): Field[] {
  if (key === null) return [];
  const path = (key ?? camelCase(column)).split(".");
  if (![column, ...path].every(isName)) throw new Error(`No column and no property is called ${column}.`);
  return [{ column, path, codec }];
}

/** Says which column holds what could not be read. */
const naming =
  (table: string, column: string, read: Mapping): Mapping =>
  (stored) => {
    try {
      return read(stored);
    } catch (cause) {
      throw new Error(`${table}.${column} does not hold what it is declared to hold.`, { cause });
    }
  };

function expression(value: string, mapping: string | null, codec: Codec): string {
  if (mapping === null) return value;
  const call = `${mapping}(${value})`;
  return codec.isNullable && !codec.mapsNull ? `${value} === null ? null : ${call}` : call;
}

/** The text of an object with these members; members of one group stand together in an object of their own. */
function literal(members: readonly (readonly [path: readonly string[], value: string])[]): string {
  const groups = new Map<string, (readonly [readonly string[], string])[]>();
  const written: string[] = [];
  for (const [[name = "", ...rest], value] of members) {
    if (rest.length === 0) written.push(`${name}: ${value}`);
    else groups.set(name, [...(groups.get(name) ?? []), [rest, value]]);
  }
  for (const [name, inner] of groups) written.push(`${name}: ${literal(inner)}`);
  return `({ ${written.join(", ")} })`;
}

/**
 * A mapping is compiled from the declaration, once: its code is one object literal, so that a row costs no loop over
 * names. A loop took three to five times as long for a row of 26 columns. The code holds declared names alone.
 */
function compiled<From, To>(mappings: readonly (Mapping | null)[], body: string): (from: From) => To {
  const make = new Function(
    "mappings",
    `const [${mappings.map((_, index) => `m${index}`).join(", ")}] = mappings;
return (from) => ${body};`,
  ) as (mappings: readonly (Mapping | null)[]) => (from: From) => To;
  return make(mappings);
}

function readerOf<From, To>(table: string, fields: readonly Field[]): (row: From) => To {
  const mappings = fields.map(({ column, codec }) =>
    codec.read !== null && codec.isJson ? naming(table, column, codec.read) : codec.read,
  );
  const members = fields.map(({ column, path, codec }, index) => {
    const mapping = codec.read === null ? null : `m${index}`;
    return [path, expression(`from.${column}`, mapping, codec)] as const;
  });
  return compiled(mappings, literal(members));
}

function writerOf<From, To>(fields: readonly Field[]): (record: From) => To {
  const members = fields.map(({ column, path, codec }, index) => {
    const mapping = codec.write === null ? null : `m${index}`;
    return [[column], expression(`from.${path.join(".")}`, mapping, codec)] as const;
  });
  return compiled(
    fields.map(({ codec }) => codec.write),
    literal(members),
  );
}

/** Declares a table: one line for each column, in the order of the columns. */
export function table<C extends Columns>(name: string, declared: C): DeclaredTable<C> {
  const columns = Object.keys(declared) as (keyof C & string)[];
  const fields = Object.entries(declared).flatMap(([column, how]) => fieldOf(column, how));
  const own = fields.map(({ column }) => column) as Own<C>[];
  return {
    name,
    declared,
    columns,
    own,
    of: (alias) => own.map((column) => `${alias}.${column}` as const),
    toRecord: readerOf(name, fields),
    toRow: writerOf(fields),
  };
}
