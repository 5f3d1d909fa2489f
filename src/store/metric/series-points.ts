import { setImmediate } from "node:timers/promises";
import { rollupMs, rollupStart, type PointColumn, type SeriesChunk } from "../../core/metric/chunk.ts";
import type { SeriesField } from "../../core/metric/sample.ts";
import { all, type Database, type Result, type Step } from "../engine/database.ts";
import { pointQueries, type Cells, type PointQueries } from "./series-queries.ts";

/**
 * Values read in one go: 1 to 2 ms of the thread on SQLite (0.1 to 0.2 µs a value), so that nobody waits behind a
 * long series, also where clearing away the rows comes on top.
 */
const cellsAtATime = 8000;

interface Window {
  readonly samples: readonly Cells[];
  readonly rollups: readonly Cells[];
  /** Everything before it was read. */
  readonly end: number;
}

const timeOf = (row: Cells | undefined): number => row?.[0] ?? 0;

/**
 * Reads what a chunk may hold, up to the end of a five minutes: while a series is read, samples become roll-up rows
 * five minutes at a time, and must be found as the one or as the other. (Where more samples lie within five
 * minutes than a chunk holds, it ends among them.)
 */
function* readWindow(
  { fields, samples, rollups }: PointQueries,
  server: string,
  from: number,
  to: number,
): Generator<Step, Window, Result> {
  const rows = (columns: number): number => Math.max(1, Math.floor(cellsAtATime / columns));
  const [mostSamples, mostRollups] = [rows(1 + fields.length), rows(1 + 4 * fields.length)];
  const rolled = yield* all(rollups, { server, from, to, limit: mostRollups });
  let end = rolled.length < mostRollups ? to : Math.min(to, timeOf(rolled.at(-1)) + rollupMs);
  const sampled = yield* all(samples, { server, from, to: end, limit: mostSamples });
  if (sampled.length >= mostSamples) {
    const last = timeOf(sampled.at(-1));
    end = rollupStart(last) > from ? rollupStart(last) : last + 1;
  }
  const within = (row: Cells): boolean => timeOf(row) < end;
  return { samples: sampled.filter(within), rollups: rolled.filter(within), end };
}

/** Points of both kinds in order of time; between two windows the thread is everybody else's. */
export async function* readPoints(
  db: Database,
  server: string,
  from: number,
  to: number,
  fields: readonly SeriesField[],
): AsyncGenerator<SeriesChunk> {
  const queries = pointQueries(fields);
  const places = fields.map((field) => queries.fields.indexOf(field));
  for (let start = from; start < to;) {
    const window = await db.read(() => readWindow(queries, server, start, to));
    for (const { rolled, rows } of runsOf(window)) yield chunkOf(rows, rolled, places);
    start = window.end;
    await setImmediate();
  }
}

interface Run {
  readonly rolled: boolean;
  readonly rows: readonly Cells[];
}

/** Merges the two kinds by time into runs of one kind each, a roll-up row before a sample of its own start. */
function* runsOf({ samples, rollups }: Window): Generator<Run> {
  let [sample, rollup] = [0, 0];
  while (sample < samples.length || rollup < rollups.length) {
    const nextSample = sample < samples.length ? timeOf(samples[sample]) : Number.POSITIVE_INFINITY;
    const rollupEnd = endOfRun(rollups, rollup, (time) => time <= nextSample);
    if (rollupEnd > rollup) yield { rolled: true, rows: rollups.slice(rollup, rollupEnd) };
    rollup = rollupEnd;
    const nextRollup = rollup < rollups.length ? timeOf(rollups[rollup]) : Number.POSITIVE_INFINITY;
    const sampleEnd = endOfRun(samples, sample, (time) => time < nextRollup);
    if (sampleEnd > sample) yield { rolled: false, rows: samples.slice(sample, sampleEnd) };
    sample = sampleEnd;
  }
}

function endOfRun(rows: readonly Cells[], start: number, belongs: (time: number) => boolean): number {
  let end = start;
  while (end < rows.length && belongs(timeOf(rows[end]))) end += 1;
  return end;
}

function chunkOf(rows: readonly Cells[], rolled: boolean, places: readonly number[]): SeriesChunk {
  const column = (place: number): Float64Array => {
    const values = new Float64Array(rows.length);
    for (const [index, row] of rows.entries()) values[index] = row[place] ?? Number.NaN;
    return values;
  };
  return {
    rolled,
    times: column(0),
    columns: places.map((place) =>
      rolled ? rollupColumn(column, 1 + 4 * place) : sampleColumn(column(1 + place)),
    ),
  };
}

const rollupColumn = (column: (place: number) => Float64Array, first: number): PointColumn => ({
  min: column(first),
  max: column(first + 1),
  sum: column(first + 2),
  count: column(first + 3),
});

const sampleColumn = (values: Float64Array): PointColumn => ({
  min: values,
  max: values,
  sum: values,
  count: values.map((value) => (Number.isNaN(value) ? 0 : 1)),
});
