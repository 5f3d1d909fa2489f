import type { z } from "zod";

/** Bytes are BLOB in SQLite and BYTEA in PostgreSQL; both drivers return a Buffer, which is a Uint8Array. */
export type Value = string | number | null | Uint8Array;

/** Instants are BIGINT milliseconds, flags 0 or 1, documents JSON text, in both databases. */
type StoredType = "text" | "integer" | "real" | "bytes";

type Mapping = (value: never) => unknown;

/** How to convert between a column's value and the record's; null if they are equal. */
interface Codec {
  readonly type: StoredType;
  readonly isNullable: boolean;
  readonly read: Mapping | null;
  readonly write: Mapping | null;
  /** Whether the mappings are also called with null. */
  readonly mapsNull: boolean;
  /** JSON text: a value that cannot be read throws an error that names the column. */
  readonly isJson: boolean;
}

/** The record's property: a name, null for none, or undefined for the column's name in camel case. */
type Key = string | null | undefined;

/** `V`: the value in the record. `S`: the value in the database. `K`: the property of the record. */
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

  /** Keeps the column out of the record; statements name it themselves. */
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

/** Text that only this program writes, one of a type's words; not checked again when read. */
export const textOf = <T extends string>(): TableColumn<T, string> => column<T, string>("text");

/** One of an enumeration's words; any other word in the database throws. */
export const oneOf = <T extends string>(words: z.ZodType<T>): TableColumn<T, string> =>
  column("text", { read: (stored: string) => words.parse(stored) });

/** JSON text that must match the schema. The value keeps everything that was written, unknown members too. */
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

/** JSON text that only this program writes, after checking it; not checked again when read. */
export const jsonOf = <T>(): TableColumn<T, string> =>
  column("text", {
    isJson: true,
    read: (stored: string) => JSON.parse(stored) as unknown,
    write: (value: unknown) => JSON.stringify(value),
  });

/** A column with its own mappings, which also get null. */
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

/** Names of the columns that are properties of the record. */
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

/** A declared table: its columns, and the mappings between its rows and domain records. */
export interface DeclaredTable<C extends Columns> {
  readonly name: string;
  readonly declared: C;
  readonly columns: readonly (keyof C & string)[];
  /** The columns that make up a record; columns declared `aside` are left out. */
  readonly own: readonly Own<C>[];
  /** The same columns with a table alias, `alias.column`. */
  readonly of: <Alias extends string>(alias: Alias) => `${Alias}.${Own<C>}`[];
  readonly toRecord: (row: Readonly<Pick<Row<C>, Own<C>>>) => DomainRecord<C>;
  readonly toRow: (record: DomainRecord<C>) => Pick<Row<C>, Own<C>>;
}

/** All columns of a row, `aside` ones included. */
export type RowOf<T> = T extends DeclaredTable<infer C> ? Row<C> : never;

/** The columns of a row that make up a record. */
export type OwnRowOf<T> = T extends DeclaredTable<infer C> ? Pick<Row<C>, Own<C>> : never;

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

/** Adds the table and column to the error of a value that cannot be read. */
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

/** The source text of an object literal; members of one group form a nested object. */
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
 * Compiles a mapping once, as one object literal: a loop over the names took three to five times as long for
 * a row of 26 columns. The code contains declared names only.
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
