import { expect, it } from "vitest";
import {
  noRows,
  rowsAtATime,
  type Columns,
  type Row,
  type Snapshot,
  type TransferTarget,
} from "../../../src/store/transfer/format.ts";
import { readExport } from "../../../src/store/transfer/read-export.ts";
import { exportedTables, type TableName } from "../../../src/store/transfer/tables.ts";
import { writeExport } from "../../../src/store/transfer/write-export.ts";
import { exportedAt } from "./exchanging.ts";

const columns: Columns = new Map(
  exportedTables.map((table) => [
    table,
    [
      { name: "id", kind: "number" },
      { name: "text", kind: "text" },
      { name: "bytes", kind: "bytes" },
    ] as const,
  ]),
);
const many = 50_000;
const rowLength = 200;

/** Many rows of one table, which come into being as they are asked for. */
function snapshotOf(
  made: { rows: number },
  row = (place: number): Row => [place, "x".repeat(rowLength), null],
): Snapshot {
  return {
    columns,
    async *rows(table: TableName) {
      if (table !== "sample") return;
      for (let place = 0; place < many; place += 1) {
        made.rows += 1;
        yield row(place);
      }
    },
    close: async () => {},
  };
}

const options = { serviceVersion: "0.0.0", now: exportedAt, tell: () => {} };

it("[OUR-STO-58] an export reads no further than it has written, and an import than it has inserted", async () => {
  const made = { rows: 0 };
  const ahead = { written: 0, inserted: 0 };
  let handedOn = 0;
  const chunks: Buffer[] = [];
  await writeExport(snapshotOf(made), {
    ...options,
    put: async (chunk) => {
      await new Promise((resolve) => setImmediate(resolve));
      ahead.written = Math.max(ahead.written, made.rows - handedOn);
      handedOn = made.rows;
      chunks.push(chunk);
    },
  });
  expect(ahead.written).toBeLessThan(400);

  let [given, inserted] = [0, 0];
  const target: TransferTarget = {
    columns,
    insert: async (_, rows) => {
      await new Promise((resolve) => setImmediate(resolve));
      inserted += rows.length;
    },
    commit: async () => {},
    close: async () => {},
  };
  const stream = async function* () {
    for (const chunk of chunks) {
      ahead.inserted = Math.max(ahead.inserted, given - inserted);
      given += chunk.toString().split('"table"').length - 1;
      yield chunk;
    }
  };
  expect(
    (
      await readExport(
        stream(),
        async () => target,
        () => {},
      )
    ).counts.sample,
  ).toBe(many);
  expect(ahead.inserted).toBeLessThanOrEqual(rowsAtATime);
  console.log(
    `rows ahead at most: ${ahead.written} of an export, ${ahead.inserted} of an import, of ${many}`,
  );
});

it("[OUR-STO-59] text, numbers, bytes and what is unknown come back as they were", async () => {
  const values: Row[] = [
    [0.1 + 0.2, '"\n\u0000\u2028\u{10FFFF}', Buffer.from([0, 255, 10, 13, 34])],
    [-(2 ** 53 - 1), "", Buffer.alloc(0)],
    [5e-324, "e\u0301", Buffer.from("text")],
    [1.7976931348623157e308, "{{clustered}}", null],
    [null, null, null],
  ];
  const chunks: Buffer[] = [];
  const snapshot = snapshotOf({ rows: 0 }, (place) => values[place % values.length] ?? []);
  await writeExport(snapshot, { ...options, put: async (chunk) => void chunks.push(chunk) });
  const back: Row[] = [];
  const target: TransferTarget = {
    columns,
    insert: async (_, rows) => void back.push(...rows),
    commit: async () => {},
    close: async () => {},
  };
  const { counts } = await readExport(
    (async function* () {
      yield* chunks;
    })(),
    async () => target,
    () => {},
  );
  expect(counts).toEqual({ ...noRows(), sample: many });
  expect(back.slice(0, values.length)).toEqual(values);
});

it("[OUR-STO-59] a number JSON has no word for is told rather than lost", async () => {
  const infinite = snapshotOf({ rows: 0 }, () => [Number.POSITIVE_INFINITY, "x", null]);
  await expect(writeExport(infinite, { ...options, put: async () => {} })).rejects.toThrow(/no word for/);
});
