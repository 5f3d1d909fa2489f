import type { BlockSegment } from "../../core/metric/block/segment.ts";
import { fieldColumn, rolledColumn } from "../../core/metric/block/segment.ts";
import {
  absentValues,
  RolledColumn,
  SampleColumn,
  valuesAlone,
  type ChunkColumn,
} from "../../core/metric/chunk-column.ts";
import { inOrderOfTime, partOf, placeOfTime, rollupMs, type SeriesChunk } from "../../core/metric/chunk.ts";
import type { SeriesField } from "../../core/metric/sample.ts";
import { pacer } from "../../core/turns.ts";
import { all, type Database, type Work } from "../engine/database.ts";
import { selectSegments } from "./blocks.ts";
import { pointQueries, type Cells, type PointQueries } from "./series-queries.ts";

/**
 * Values of rows read in one go: 1 to 2 ms of the thread on SQLite (0.1 to 0.2 µs a value), so that nobody waits behind
 * a long series, also where clearing away the rows comes on top.
 */
const cellsAtATime = 8000;
/** The thread is kept for so long at a time, ms: many reads are of a few points, and decoding eight days takes 20 ms. */
const keptMs = 3;
/** Blocks read in one go: days, of some 20 to 70 KB each. */
const blocksAtATime = 8;

interface Window {
  readonly segments: readonly BlockSegment[];
  readonly samples: readonly Cells[];
  readonly rollups: readonly Cells[];
  /** Everything before it was read. */
  readonly end: number;
}

const timeOf = (row: Cells | undefined): number => row?.[0] ?? 0;

/**
 * Reads a part of the period from all tables at one moment: while a series is read, rows become parts of blocks, and
 * must be found as the one or as the other.
 */
function* readWindow(
  { fields, samples, rollups }: PointQueries,
  server: string,
  from: number,
  to: number,
): Work<Window> {
  const rows = (columns: number): number => Math.max(1, Math.floor(cellsAtATime / columns));
  const [mostSamples, mostRollups] = [rows(1 + fields.length), rows(1 + 4 * fields.length)];
  const { segments, end: blockEnd } = yield* selectSegments(server, from, to, blocksAtATime);
  let end = blockEnd;
  const rolled = yield* all(rollups, { server, from, to: end, limit: mostRollups });
  if (rolled.length >= mostRollups) end = Math.min(end, timeOf(rolled.at(-1)) + rollupMs);
  const sampled = yield* all(samples, { server, from, to: end, limit: mostSamples });
  if (sampled.length >= mostSamples) end = timeOf(sampled.at(-1)) + 1;
  const within = (row: Cells): boolean => timeOf(row) < end;
  return {
    segments: segments.filter(({ first }) => first < end),
    samples: sampled,
    rollups: rolled.filter(within),
    end,
  };
}

/** Points in order of time; between two chunks the thread is everybody else's once it was kept for a while. */
export async function* readPoints(
  db: Database,
  server: string,
  from: number,
  to: number,
  fields: readonly SeriesField[],
): AsyncGenerator<SeriesChunk> {
  const queries = pointQueries(fields);
  const places = fields.map((field) => queries.fields.indexOf(field));
  const pace = pacer(keptMs);
  for (let start = from; start < to;) {
    const window = await db.read(() => readWindow(queries, server, start, to));
    const chunks = [
      ...window.segments.map((segment) => within(segmentChunk(segment, fields), start, window.end)),
      rowChunk(window.rollups, true, places),
      rowChunk(window.samples, false, places),
    ];
    for (const chunk of inOrderOfTime(chunks)) {
      yield chunk;
      await pace();
    }
    start = window.end;
  }
}

const within = (chunk: SeriesChunk, from: number, to: number): SeriesChunk =>
  partOf(chunk, placeOfTime(chunk.times, from), placeOfTime(chunk.times, to));

function segmentChunk(segment: BlockSegment, fields: readonly SeriesField[]): SeriesChunk {
  const column = segment.rolled ? rolledOf : sampledOf;
  return {
    rolled: segment.rolled,
    times: segment.times(),
    columns: fields.map((field) => column(segment, field)),
  };
}

const sampledOf = (segment: BlockSegment, field: SeriesField): ChunkColumn =>
  new SampleColumn(segment.column(fieldColumn(field)) ?? absentValues(segment.length));

function rolledOf(segment: BlockSegment, field: SeriesField): ChunkColumn {
  const part = (name: "min" | "max" | "sum" | "count"): Float64Array =>
    (segment.column(rolledColumn(field, name)) ?? absentValues(segment.length)).values();
  return new RolledColumn({ min: part("min"), max: part("max"), sum: part("sum"), count: part("count") });
}

function rowChunk(rows: readonly Cells[], rolled: boolean, places: readonly number[]): SeriesChunk {
  const column = (place: number): Float64Array => {
    const values = new Float64Array(rows.length);
    for (const [index, row] of rows.entries()) values[index] = row[place] ?? Number.NaN;
    return values;
  };
  return {
    rolled,
    times: column(0),
    columns: places.map((place) =>
      rolled ? rolledRows(column, 1 + 4 * place) : new SampleColumn(valuesAlone(column(1 + place))),
    ),
  };
}

const rolledRows = (column: (place: number) => Float64Array, first: number): ChunkColumn =>
  new RolledColumn({
    min: column(first),
    max: column(first + 1),
    sum: column(first + 2),
    count: column(first + 3),
  });
