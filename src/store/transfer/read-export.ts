import { createHash } from "node:crypto";
import type { Value } from "../engine/table.ts";
import {
  ExchangeError,
  Footer,
  formatName,
  Header,
  noRows,
  rowsAtATime,
  schemaVersion,
  totalOf,
  type Column,
  type Counts,
  type Inspection,
  type Row,
  type TransferTarget,
} from "./format.ts";
import { cutOff, linesOf } from "./lines.ts";
import type { TableName } from "./tables.ts";

/** Rows are inserted when their lines come to so many bytes. */
const batchBytes = 1_000_000;

type Tell = (table: TableName, rows: number) => void;

/**
 * Fills the database that `open` answers for the migration of the export, and commits it when all of the export is
 * there as it was written; answers the rows of each table. Whatever is wrong is thrown before anything is committed.
 */
export async function readExport(
  chunks: AsyncIterable<Uint8Array>,
  open: (version: number) => Promise<TransferTarget>,
  tell: Tell,
  inspection: Inspection | null = null,
): Promise<Counts> {
  const lines = linesOf(chunks);
  try {
    const first = await lines.next();
    if (first.done === true) throw cutOff();
    const target = await open(versionIn(parsed(first.value, 1)));
    try {
      return await fill(target, first.value, lines, { tell, inspection });
    } finally {
      await target.close();
    }
  } finally {
    // Closes what the chunks are read from.
    await lines.return(undefined);
  }
}

async function fill(
  target: TransferTarget,
  header: Buffer,
  lines: AsyncIterable<Buffer>,
  { tell, inspection }: { readonly tell: Tell; readonly inspection: Inspection | null },
): Promise<Counts> {
  const digest = createHash("sha256").update(header).update("\n");
  const into = batches(target);
  let number = 1;
  let footer: object | null = null;
  for await (const line of lines) {
    number += 1;
    if (footer !== null) throw new ExchangeError(`line ${number}: something follows the last line.`);
    const value = parsed(line, number);
    if ("digest" in value) footer = value;
    else {
      const parsedRow = rowOf(value, target, number);
      inspection?.row(parsedRow.table, parsedRow.given);
      await into.add(parsedRow, line.length, number);
    }
    if (footer !== null) continue;
    digest.update(line).update("\n");
    if (into.isNew()) tell(into.table(), totalOf(into.counts));
  }
  if (footer === null) throw cutOff();
  await into.flush();
  checkFooter(footer, into.counts, `sha256:${digest.digest("hex")}`);
  inspection?.end();
  await target.commit();
  return into.counts;
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

/** The migration of an export; throws for one of another format or of a newer version. */
function versionIn(value: object): number {
  const header = Header.safeParse(value).data;
  if (!header) throw noExport();
  const { format, version, service_version: writer } = header;
  if (format === formatName && version >= 1 && version <= schemaVersion) return version;
  throw new ExchangeError(
    `The export was written by Tickmark ${writer} (${format}, migration ${version}), and this version reads ${formatName} up to migration ${schemaVersion}. Import it with the version that wrote it.`,
  );
}

function checkFooter(value: object, counts: Counts, digest: string): void {
  const footer = Footer.safeParse(value).data;
  if (!footer) throw new ExchangeError("The export is damaged: its last line is wrong. Export it again.");
  // An older version has fewer tables.
  const wrong = Object.entries(counts).find(([table, rows]) => (footer.tables[table] ?? 0) !== rows);
  const unknown = Object.keys(footer.tables).some((table) => !Object.hasOwn(counts, table));
  if (wrong || unknown || footer.rows !== totalOf(counts)) {
    const difference = wrong
      ? ` (${wrong[0]}: ${footer.tables[wrong[0]] ?? 0} expected, ${wrong[1]} found)`
      : "";
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
  /** The same by the names of the columns. */
  readonly given: Readonly<Record<string, unknown>>;
}

function rowOf(value: object, { columns }: TransferTarget, number: number): Parsed {
  const { table, row } = value as { readonly table?: unknown; readonly row?: unknown };
  const known = columns.get(table as TableName);
  if (!known) throw damaged(number, "is a row of a table that is not in an export");
  if (typeof row !== "object" || row === null) throw damaged(number, "has no row");
  const given = row as Readonly<Record<string, unknown>>;
  let used = 0;
  const values = known.map((column) => {
    if (!Object.hasOwn(given, column.name)) return null;
    used += 1;
    return valueOf(given[column.name], column, number);
  });
  if (used < Object.keys(given).length) throw damaged(number, `has a column ${String(table)} does not have`);
  return { table: table as TableName, row: values, given };
}

function valueOf(value: unknown, { name, kind }: Column, number: number): Value {
  if (value === null) return null;
  if (kind === "number" ? typeof value === "number" : typeof value === "string")
    return kind === "bytes" ? Buffer.from(String(value), "base64") : (value as Value);
  throw damaged(number, `has a value in ${name} that is not of type ${kind}`);
}

/** Rows of one table that stand together are inserted together. */
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
    /** Whether rows were inserted since it was last asked. */
    isNew: () => {
      const was = isNew;
      isNew = false;
      return was;
    },
  };
}
