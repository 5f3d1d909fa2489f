import { createHash } from "node:crypto";
import { type Instant, toTimestamp } from "../../core/time.ts";
import type { Value } from "../engine/table.ts";
import { newestMigration } from "../migrations/registry.ts";
import {
  formatName,
  noRows,
  totalOf,
  type Column,
  type Counts,
  type Header,
  type Row,
  type Snapshot,
} from "./format.ts";
import { exportedTables, type TableName } from "./tables.ts";

/** Size of a chunk, characters. */
const chunkLength = 64 * 1024;

interface ExportOptions {
  readonly serviceVersion: string;
  readonly now: Instant;
  /** Takes one chunk; the next is made only after it resolves. */
  readonly put: (chunk: Buffer) => Promise<void>;
  readonly tell: (table: TableName, rows: number) => void;
}

/** Writes every row as a line; returns the number of rows by table. */
export async function writeExport(
  snapshot: Snapshot,
  { serviceVersion, now, put, tell }: ExportOptions,
): Promise<Counts> {
  const digest = createHash("sha256");
  const counts = noRows();
  const header: Header = {
    format: formatName,
    version: newestMigration(),
    exported_at: toTimestamp(now),
    service_version: serviceVersion,
  };
  let lines = `${JSON.stringify(header)}\n`;
  const handOn = (): Promise<void> => {
    const chunk = Buffer.from(lines);
    lines = "";
    digest.update(chunk);
    return put(chunk);
  };
  for (const table of exportedTables) {
    const write = lineOf(table, snapshot.columns.get(table) ?? []);
    for await (const row of snapshot.rows(table)) {
      lines += write(row);
      counts[table] += 1;
      if (lines.length < chunkLength) continue;
      tell(table, totalOf(counts));
      await handOn();
    }
  }
  await handOn();
  const footer = { rows: totalOf(counts), tables: counts, digest: `sha256:${digest.digest("hex")}` };
  await put(Buffer.from(`${JSON.stringify(footer)}\n`));
  return counts;
}

/** Writes rows as `{"table":…,"row":{…}}`, without null columns. */
function lineOf(table: TableName, columns: readonly Column[]): (row: Row) => string {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const start = `{"table":${JSON.stringify(table)},"row":{`;
  return (row) => {
    let line = start;
    let separator = "";
    for (let index = 0; index < names.length; index += 1) {
      const value = row[index] ?? null;
      if (value === null) continue;
      line += separator + names[index] + written(value, table);
      separator = ",";
    }
    return `${line}}}\n`;
  };
}

function written(value: Exclude<Value, null>, table: TableName): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "number")
    return `"${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")}"`;
  if (!Number.isFinite(value)) throw new Error(`${table} holds a number JSON has no word for: ${value}.`);
  return String(value);
}
