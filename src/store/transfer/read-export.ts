import { createHash } from "node:crypto";
import type { Value } from "../engine/table.ts";
import { newestMigration } from "../migrations/registry.ts";
import {
  afterRowsOf,
  earlierFormat,
  earlierTables,
  newestEarlierMigration,
  toFirstSchema,
  type Adapted,
  type ExportedRow,
} from "./earlier-export.ts";
import {
  ExchangeError,
  Footer,
  formatName,
  Header,
  noRows,
  rowsAtATime,
  totalOf,
  type Column,
  type Counts,
  type Inspection,
  type Row,
  type TransferTarget,
} from "./format.ts";
import { cutOff, linesOf } from "./lines.ts";
import { exportedTables, type TableName } from "./tables.ts";

/** Rows are inserted when their lines reach this size, bytes. */
const batchBytes = 1_000_000;

type Tell = (table: TableName, rows: number) => void;

interface Reading {
  readonly tables: readonly string[];
  /** The migration whose tables fit the rows. */
  readonly migration: number;
  readonly adapted: (table: string, row: ExportedRow) => Adapted;
  readonly afterRows: readonly string[];
}

export interface Imported {
  readonly counts: Counts;
  /** Dropped rows of five minutes of samples, which no table can hold. */
  readonly leftOut: number;
}

/**
 * Fills the database that `open` returns for the export's migration, and commits once the whole export was
 * read and its digest is right. Any fault throws before the commit.
 */
export async function readExport(
  chunks: AsyncIterable<Uint8Array>,
  open: (version: number) => Promise<TransferTarget>,
  tell: Tell,
  inspection: Inspection | null = null,
): Promise<Imported> {
  const lines = linesOf(chunks);
  try {
    const first = await lines.next();
    if (first.done === true) throw cutOff();
    const reading = readingOf(parsed(first.value, 1));
    const target = await open(reading.migration);
    try {
      return await fill(target, first.value, lines, { tell, inspection, reading });
    } finally {
      await target.close();
    }
  } finally {
    await lines.return(undefined);
  }
}

async function fill(
  target: TransferTarget,
  header: Buffer,
  lines: AsyncIterable<Buffer>,
  {
    tell,
    inspection,
    reading,
  }: { readonly tell: Tell; readonly inspection: Inspection | null; readonly reading: Reading },
): Promise<Imported> {
  const digest = createHash("sha256").update(header).update("\n");
  const into = batches(target);
  const found = new Map<string, number>();
  let number = 1;
  let leftOut = 0;
  let footer: object | null = null;
  for await (const line of lines) {
    number += 1;
    if (footer !== null) throw new ExchangeError(`line ${number}: something follows the last line.`);
    const value = parsed(line, number);
    if ("digest" in value) footer = value;
    else {
      const { table, row } = partsOf(value, number);
      found.set(table, (found.get(table) ?? 0) + 1);
      const adapted = adaptedBy(reading, table, row, number);
      leftOut += adapted.leftOut;
      if (adapted.row !== null) {
        const parsedRow = rowOf(table, adapted.row, target, number);
        inspection?.row(parsedRow.table, adapted.row);
        await into.add(parsedRow, line.length, number);
      }
    }
    if (footer !== null) continue;
    digest.update(line).update("\n");
    if (into.isNew()) tell(into.table(), totalOf(into.counts));
  }
  if (footer === null) throw cutOff();
  await into.flush();
  checkFooter(footer, reading, found, `sha256:${digest.digest("hex")}`);
  inspection?.end();
  await target.commit(reading.afterRows);
  return { counts: into.counts, leftOut };
}

function adaptedBy({ adapted }: Reading, table: string, row: ExportedRow, number: number): Adapted {
  try {
    return adapted(table, row);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExchangeError(`The export is damaged: line ${number} cannot be read (${why}).`, {
      cause: error,
    });
  }
}

function parsed(line: Buffer, number: number): object {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // The error is thrown below.
  }
  throw number === 1 ? noExport() : damaged(number, "is not a JSON object");
}

const noExport = (): ExchangeError =>
  new ExchangeError("This is not an export of Tickmark. Name an export file.");

const damaged = (number: number, how: string): ExchangeError =>
  new ExchangeError(`The export is damaged: line ${number} ${how}.`);

/** Chooses by the header how to read an export; throws for another format or a newer version. */
function readingOf(value: object): Reading {
  const header = Header.safeParse(value).data;
  if (!header) throw noExport();
  const { format, version, service_version: writer } = header;
  if (format === formatName && version >= 1 && version <= newestMigration())
    return {
      tables: exportedTables,
      migration: version,
      adapted: (_, row) => ({ row, leftOut: 0 }),
      afterRows: [],
    };
  if (format === earlierFormat && version >= 1 && version <= newestEarlierMigration)
    return {
      tables: [...exportedTables, ...earlierTables],
      migration: 1,
      adapted: toFirstSchema,
      afterRows: afterRowsOf(version),
    };
  throw new ExchangeError(
    `The export was written by Tickmark ${writer} (${format}, migration ${version}), and this version reads ${formatName} up to migration ${newestMigration()}. Import it with the version that wrote it.`,
  );
}

const sumOf = (rows: ReadonlyMap<string, number>): number =>
  [...rows.values()].reduce((sum, count) => sum + count, 0);

function checkFooter(
  value: object,
  { tables: known }: Reading,
  found: ReadonlyMap<string, number>,
  digest: string,
): void {
  const footer = Footer.safeParse(value).data;
  if (!footer) throw new ExchangeError("The export is damaged: its last line is wrong. Export it again.");
  const tables = new Set([...Object.keys(footer.tables), ...found.keys()]);
  const wrong = [...tables].find(
    (table) => !known.includes(table) || (footer.tables[table] ?? 0) !== (found.get(table) ?? 0),
  );
  if (wrong !== undefined || footer.rows !== sumOf(found)) {
    const difference =
      wrong === undefined
        ? ""
        : ` (${wrong}: ${footer.tables[wrong] ?? 0} expected, ${found.get(wrong) ?? 0} found)`;
    throw new ExchangeError(
      `The export is damaged: its number of rows is wrong${difference}. Export it again.`,
    );
  }
  if (footer.digest !== digest)
    throw new ExchangeError(
      "The export is damaged: it was changed after it was written (its digest differs). Export it again.",
    );
}

interface Parsed {
  readonly table: TableName;
  readonly row: Row;
}

function partsOf(value: object, number: number): { readonly table: string; readonly row: ExportedRow } {
  const { table, row } = value as { readonly table?: unknown; readonly row?: unknown };
  if (typeof table !== "string") throw damaged(number, "is a row of a table that is not in an export");
  if (typeof row !== "object" || row === null) throw damaged(number, "has no row");
  return { table, row: row as ExportedRow };
}

function rowOf(table: string, row: ExportedRow, { columns }: TransferTarget, number: number): Parsed {
  const known = columns.get(table as TableName);
  if (!known) throw damaged(number, "is a row of a table that is not in an export");
  let used = 0;
  const values = known.map((column) => {
    if (!Object.hasOwn(row, column.name)) return null;
    used += 1;
    return valueOf(row[column.name], column, number);
  });
  if (used < Object.keys(row).length) throw damaged(number, `has a column ${table} does not have`);
  return { table: table as TableName, row: values };
}

function valueOf(value: unknown, { name, kind }: Column, number: number): Value {
  if (value === null) return null;
  if (kind === "number" ? typeof value === "number" : typeof value === "string")
    return kind === "bytes" ? Buffer.from(String(value), "base64") : (value as Value);
  throw damaged(number, `has a value in ${name} that is not of type ${kind}`);
}

function batches(target: TransferTarget) {
  const counts = noRows();
  let table: TableName = "account";
  let rows: Row[] = [];
  let bytes = 0;
  let first = 0;
  let isNew = false;
  const flush = async (last?: number): Promise<void> => {
    if (rows.length === 0) return;
    await target.insert(table, rows).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      const where = last === undefined || last === first ? `line ${first} ff.` : `lines ${first} to ${last}`;
      throw new ExchangeError(`The rows of ${table} in ${where} cannot be inserted: ${why}.`, {
        cause: error,
      });
    });
    counts[table] += rows.length;
    rows = [];
    bytes = 0;
    isNew = true;
  };
  const add = async (parsed: Parsed, length: number, number: number): Promise<void> => {
    if (parsed.table !== table) await flush(number - 1);
    if (rows.length === 0) first = number;
    table = parsed.table;
    rows.push(parsed.row);
    bytes += length;
    if (rows.length >= rowsAtATime || bytes >= batchBytes) await flush(number);
  };
  return {
    counts,
    add,
    flush,
    table: () => table,
    isNew: () => {
      const was = isNew;
      isNew = false;
      return was;
    },
  };
}
