import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recordedColumns, recordedRows, recordedTicks } from "../../src/demo/recording.ts";

const source = join(import.meta.dirname, "../../../shared/data/rcon/paper-worldgen.tsv");
const present = existsSync(source);
if (!present) console.warn(`SKIPPED: ${source} is absent, so the recording was compared with nothing.`);

it.skipIf(!present)("[OUR-DEM-11] replays the figures a real server gave, every one of them", () => {
  const [head, ...lines] = readFileSync(source, "utf8").trim().split("\n");
  expect(head?.split("\t")).toEqual([...recordedColumns]);
  expect(lines.map((line) => line.split("\t").map(Number))).toEqual(recordedRows);
});

it("[OUR-DEM-11] begins again at the end of the recording", () => {
  expect(recordedTicks(5)).toEqual({ tps: 13, mspt: 34.2, worst_tick_ms: 2717.1 });
  expect(recordedTicks(5 + recordedRows.length)).toEqual(recordedTicks(5));
});
