import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { recordedColumns, recordedRows, recordedTicks } from "../../src/demo/recording.ts";
import { sharedData } from "../support/shared-data.ts";

const source = sharedData("rcon/paper-worldgen.tsv");

it.skipIf(source === null)("[OUR-DEM-11] replays the figures a real server gave, every one of them", () => {
  const [head, ...lines] = readFileSync(source ?? "", "utf8")
    .trim()
    .split("\n");
  expect(head?.split("\t")).toEqual([...recordedColumns]);
  expect(lines.map((line) => line.split("\t").map(Number))).toEqual(recordedRows);
});

it("[OUR-DEM-11] begins again at the end of the recording", () => {
  expect(recordedTicks(5)).toEqual({ tps: 13, mspt: 34.2, worst_tick_ms: 2717.1 });
  expect(recordedTicks(5 + recordedRows.length)).toEqual(recordedTicks(5));
});
