import { z } from "zod";
import { newestOf, refuseForeign, type Applied } from "../migrations/applied.ts";
import { newestMigration } from "../migrations/registry.ts";
import type { Value } from "../engine/table.ts";
import { exportedTables, type TableName } from "./tables.ts";

/** A refusal of a backup, an export or an import: one line that says what to do. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
}

export const formatName = "tickmark-export/2";

/** The first line of an export. */
export const Header = z.object({
  format: z.string(),
  /** The newest migration of the database it was made of. */
  version: z.int(),
  exported_at: z.string(),
  service_version: z.string(),
});

export type Header = z.infer<typeof Header>;

/** The last line; `digest` is the SHA-256 of every byte before it. */
export const Footer = z.object({
  rows: z.int(),
  tables: z.record(z.string(), z.int()),
  digest: z.string(),
});

/** Rows of each table an export carries. */
export type Counts = Record<TableName, number>;

export const noRows = (): Counts =>
  Object.fromEntries(exportedTables.map((table) => [table, 0])) as unknown as Counts;

export const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, rows) => sum + rows, 0);

/** How values of a column are written: bytes as base64, the others as JSON has them. */
type Kind = "text" | "number" | "bytes";

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

export type Columns = ReadonlyMap<TableName, readonly Column[]>;

const kinds: Readonly<Record<string, Kind>> = {
  text: "text",
  smallint: "number",
  integer: "number",
  bigint: "number",
  "double precision": "number",
  blob: "bytes",
  bytea: "bytes",
};

/** The columns of every table that travels, from what a database says of all of its columns, in their order. */
export function columnsFrom(described: Iterable<{ table: string; name: string; type: string }>): Columns {
  const columns = new Map<TableName, Column[]>(exportedTables.map((table) => [table, []]));
  for (const { table, name, type } of described) {
    const known = columns.get(table as TableName);
    if (known === undefined) continue;
    const kind = kinds[type.toLowerCase()];
    if (!kind) throw new Error(`${table}.${name} is of a type exports do not know: ${type}.`);
    known.push({ name, kind });
  }
  return columns;
}

/** Rows of a full insertion. */
export const rowsAtATime = 100;

/** Values of one row, in the order of its table's columns. */
export type Row = readonly Value[];

/** One moment of a database, whatever is written to it meanwhile. */
export interface Snapshot {
  readonly columns: Columns;
  rows(table: TableName): AsyncIterable<Row>;
  close(): Promise<void>;
}

/**
 * An empty database of the migration of an export, which is filled in one transaction: until `commit` nobody sees
 * anything of it.
 */
export interface TransferTarget {
  readonly columns: Columns;
  insert(table: TableName, rows: readonly Row[]): Promise<void>;
  /** Runs statements over what was inserted, brings it up to date, as an upgrade does, and keeps it. */
  commit(statements: readonly string[]): Promise<void>;
  /** Undoes what is not committed. */
  close(): Promise<void>;
}

/** Looks at rows that are to be kept before they are, and refuses them by throwing. */
export interface Inspection {
  readonly row: (table: TableName, row: Readonly<Record<string, unknown>>) => void;
  /** Called when all rows were seen. */
  readonly end: () => void;
}

/** Double quotes around a name of the schema. */
export const quotedIdentifier = (name: string): string => `"${name}"`;

export const listed = (columns: readonly Column[]): string =>
  columns.map(({ name }) => quotedIdentifier(name)).join(", ");

export const notOurs = "This is not a database of Tickmark. Set TICKMARK_DATABASE_URL to one.";

/** Refuses a database whose schema is not of this version: exports are made of databases of exactly that one. */
export function checkSchema(applied: Applied): void {
  const version = newestOf(applied);
  if (version === null) throw new ExchangeError(notOurs);
  refuseForeign(applied);
  if (version < newestMigration())
    throw new ExchangeError("The database has an older version. Run tickmark migrate first.");
}

/** The tables of `all` that a database has whose columns these are: an older one lacks some. */
export const presentIn = (columns: Columns, all: readonly TableName[]): TableName[] =>
  all.filter((table) => (columns.get(table) ?? []).length > 0);

/** Refuses a target that is newer than the export, whose rows its tables do not fit. */
export function checkTarget(applied: Applied, wanted: number): void {
  const found = newestOf(applied);
  if (found === wanted) return;
  throw new ExchangeError(
    `The export is of an older version (migration ${wanted}) than the tables of this database (migration ${found}). Set TICKMARK_DATABASE_URL to a new database without tables.`,
  );
}

export const notEmpty = (table: TableName): ExchangeError =>
  new ExchangeError(
    `The database has data already (table ${table}), and import needs an empty database. Set TICKMARK_DATABASE_URL to a new one.`,
  );
