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
  type Row,
  type TransferTarget,
} from "./format.ts";
import { cutOff, linesOf } from "./lines.ts";
import type { TableName } from "./tables.ts";

/** Rows are inserted when their lines come to so many bytes. */
const batchBytes = 1_000_000;

/**
 * Fills `target` from an export and commits it when all of it is there as it was written; answers the rows of
 * each table. Whatever is wrong is thrown before anything is committed.
 */
export async function readExport(
  chunks: AsyncIterable<Uint8Array>,
  target: TransferTarget,
  tell: (table: TableName, rows: number) => void,
): Promise<Counts> {
  const digest = createHash("sha256");
  const into = batches(target);
  let number = 0;
  let footer: object | null = null;
  for await (const line of linesOf(chunks)) {
    number += 1;
    if (footer !== null) throw new ExchangeError(`line ${number}: something follows the last line.`);
    const value = parsed(line, number);
    if (number === 1) checkHeader(value);
    else if ("digest" in value) footer = value;
    else await into.add(rowOf(value, target, number), line.length, number);
    if (footer !== null) continue;
    digest.update(line).update("\n");
    if (into.isNew()) tell(into.table(), totalOf(into.counts));
  }
  if (footer === null) throw cutOff();
  await into.flush();
  checkFooter(footer, into.counts, `sha256:${digest.digest("hex")}`);
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

function checkHeader(value: object): void {
  const header = Header.safeParse(value).data;
  if (!header) throw noExport();
  const { format, version, service_version: writer } = header;
  if (format === formatName && version === schemaVersion) return;
  const older = format === formatName && version < schemaVersion;
  const what = `The export was written by Tickmark ${writer} (${format}, migration ${version}), and this version reads only migration ${schemaVersion}.`;
  throw new ExchangeError(
    older
      ? `${what} Import it with the version that wrote it, then start this version, which brings the database up to date.`
      : `${what} Import it with the version that wrote it.`,
  );
}

function checkFooter(value: object, counts: Counts, digest: string): void {
  const footer = Footer.safeParse(value).data;
  if (!footer) throw new ExchangeError("The export is damaged: its last line is wrong. Export it again.");
  const tables = Object.entries(counts);
  const wrong = tables.find(([table, rows]) => footer.tables[table] !== rows);
  if (wrong || footer.rows !== totalOf(counts) || Object.keys(footer.tables).length !== tables.length) {
    const difference = wrong ? ` (${wrong[0]}: ${footer.tables[wrong[0]]} expected, ${wrong[1]} found)` : "";
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
  return { table: table as TableName, row: values };
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
