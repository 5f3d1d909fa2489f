import { z } from "zod";
import { newestOf, refuseForeign, type Applied } from "../migrations/applied.ts";
import { newestMigration } from "../migrations/registry.ts";
import type { Value } from "../engine/table.ts";
import { exportedTables, type TableName } from "./tables.ts";

/** Refuses a backup, export or import; its message is one line that says what to do. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";
}

export const formatName = "tickmark-export/2";

export const Header = z.object({
  format: z.string(),
  /** The exported database's newest migration. */
  version: z.int(),
  exported_at: z.string(),
  service_version: z.string(),
});

export type Header = z.infer<typeof Header>;

/** The last line. `digest`: SHA-256 of all bytes before it. */
export const Footer = z.object({
  rows: z.int(),
  tables: z.record(z.string(), z.int()),
  digest: z.string(),
});

export type Counts = Record<TableName, number>;

export const noRows = (): Counts =>
  Object.fromEntries(exportedTables.map((table) => [table, 0])) as unknown as Counts;

export const totalOf = (counts: Counts): number => Object.values(counts).reduce((sum, rows) => sum + rows, 0);

/** How a column's values are written: bytes as base64, others as JSON. */
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

/** Columns of the exported tables, in their order, from a database's description of all columns. */
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

export const rowsAtATime = 100;

/** A row's values in the order of its table's columns. */
export type Row = readonly Value[];

/** One moment of a database, unaffected by later writes. */
export interface Snapshot {
  readonly columns: Columns;
  rows(table: TableName): AsyncIterable<Row>;
  close(): Promise<void>;
}

/** An empty database with the export's migration, filled in one transaction. */
export interface TransferTarget {
  readonly columns: Columns;
  insert(table: TableName, rows: readonly Row[]): Promise<void>;
  /** Runs statements over the inserted rows, upgrades the schema, and commits. */
  commit(statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Checks rows before they are committed; refuses them by throwing. */
export interface Inspection {
  readonly row: (table: TableName, row: Readonly<Record<string, unknown>>) => void;
  readonly end: () => void;
}

export const quotedIdentifier = (name: string): string => `"${name}"`;

export const listed = (columns: readonly Column[]): string =>
  columns.map(({ name }) => quotedIdentifier(name)).join(", ");

export const notOurs = "This is not a database of Tickmark. Set TICKMARK_DATABASE_URL to one.";

/** Throws if the database's schema is not exactly of this version: other versions are not exported. */
export function checkSchema(applied: Applied): void {
  const version = newestOf(applied);
  if (version === null) throw new ExchangeError(notOurs);
  refuseForeign(applied);
  if (version < newestMigration())
    throw new ExchangeError("The database has an older version. Run tickmark migrate first.");
}

/** The tables of `all` that exist; an older database lacks some. */
export const presentIn = (columns: Columns, all: readonly TableName[]): TableName[] =>
  all.filter((table) => (columns.get(table) ?? []).length > 0);

/** Throws if the target's schema is newer than the export, whose rows would not fit. */
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
