import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sampleFields, seriesFields } from "../../../src/core/metric/fields.ts";

type Value = string | number | { readonly bytes: string };

/** A row that a database of a release may hold. */
export interface ReleasedRow {
  readonly table: string;
  readonly row: Readonly<Record<string, Value>>;
}

/** The rows that joined with a migration, of every table that it made; a row stands after those that it refers to. */
const rowsOf = (name: string): ReleasedRow[] =>
  readFileSync(join(import.meta.dirname, "../../fixtures/releases", `${name}.ndjson`), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ReleasedRow);

const literal = (value: Value): string => {
  if (typeof value === "number") return String(value);
  return typeof value === "string"
    ? `'${value.replaceAll("'", "''")}'`
    : `CAST('${value.bytes}' AS {{bytes}})`;
};

/** The statement that inserts a row, with the words that migrations have for both dialects. */
const insertion = ({ table, row }: ReleasedRow): string =>
  `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.values(row).map(literal).join(", ")})`;

/** What a migration with such columns adds besides. */
const besideFields: Readonly<Record<number, readonly string[]>> = {
  5: ["UPDATE server_baseline SET disk_lows = '{}'"],
};

/** Migrations that add columns of measured fields: they have a value in the samples that are there. */
const ofFields = [...new Set(seriesFields.map((field) => sampleFields[field].migration))].flatMap((id) =>
  id === undefined
    ? []
    : [
        {
          id,
          rows: [
            ...seriesFields
              .filter((field) => sampleFields[field].migration === id)
              .map((field) => `UPDATE sample SET ${field} = 1`),
            ...(besideFields[id] ?? []),
          ],
        },
      ],
);

/** An upgrade is tested from each migration, with the rows of all up to it; a new one has a file here. */
export const versions: readonly { readonly id: number; readonly rows: readonly string[] }[] = [
  { id: 1, rows: rowsOf("1-schema").map(insertion) },
  { id: 2, rows: rowsOf("2-health-beginnings").map(insertion) },
  { id: 3, rows: rowsOf("3-late-data").map(insertion) },
  ...ofFields,
  { id: 7, rows: ["UPDATE server SET player_count = 3, ticks_late = 1, last_event_at = 1700000000000"] },
].toSorted((a, b) => a.id - b.id);
