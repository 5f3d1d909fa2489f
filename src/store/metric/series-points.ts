import { type BlockSegment, fieldColumn, importedColumn } from "../../core/metric/block/segment.ts";
import { absentValues, ChunkColumn, valuesAlone } from "../../core/metric/chunk-column.ts";
import { inOrderOfTime, partOf, placeOfTime, type SeriesChunk } from "../../core/metric/chunk.ts";
import type { SeriesField } from "../../core/metric/fields.ts";
import { pacer } from "../../core/turns.ts";
import { all, type DatabaseReader, type Work } from "../engine/database.ts";
import { selectSegments } from "./blocks.ts";
import { pointQuery, type Cells, type PointQuery } from "./series-queries.ts";

/**
 * Most values read from rows at once: 1 to 2 ms of the thread on SQLite (0.1 to 0.2 µs a value), so that
 * nobody waits for a long series, even with the time to free the rows.
 */
const cellsAtATime = 8000;
/** Time without giving up the thread, ms: most reads have few points, but eight days take 20 ms to decode. */
const keptMs = 3;
/** Blocks (days, 20 to 70 KB each) read at once. */
const blocksAtATime = 8;

interface Window {
  readonly segments: readonly BlockSegment[];
  readonly samples: readonly Cells[];
  /** Everything before this instant was read. */
  readonly end: number;
}

const timeOf = (row: Cells | undefined): number => row?.[0] ?? 0;

/** Reads both tables at one moment: rows become parts of blocks meanwhile, and must be found exactly once. */
function* readWindow(
  { fields, samples }: PointQuery,
  server: string,
  from: number,
  to: number,
): Work<Window> {
  const limit = Math.max(1, Math.floor(cellsAtATime / (1 + fields.length)));
  const { segments, end: blockEnd } = yield* selectSegments(server, from, to, blocksAtATime);
  const sampled = yield* all(samples, { server, from, to: blockEnd, limit });
  const end = sampled.length >= limit ? timeOf(sampled.at(-1)) + 1 : blockEnd;
  return { segments: segments.filter(({ first }) => first < end), samples: sampled, end };
}

/** Points in time order. After `keptMs` other work gets the thread between two chunks. */
export async function* readPoints(
  db: DatabaseReader,
  server: string,
  from: number,
  to: number,
  fields: readonly SeriesField[],
): AsyncGenerator<SeriesChunk> {
  const points = pointQuery(fields);
  const places = fields.map((field) => points.fields.indexOf(field));
  const pace = pacer(keptMs);
  for (let start = from; start < to;) {
    const window = await db.read(() => readWindow(points, server, start, to));
    const chunks = [
      ...window.segments.map((segment) => within(segmentChunk(segment, fields), start, window.end)),
      rowChunk(window.samples, places, 1 + points.fields.length),
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
  const imported = segment.column(importedColumn);
  return {
    times: segment.times(),
    columns: fields.map(
      (field) => new ChunkColumn(segment.column(fieldColumn(field)) ?? absentValues(segment.length)),
    ),
    ...(imported && { imported: new ChunkColumn(imported) }),
  };
}

/** `mark`: the place of the mark of imported samples, behind the fields. */
function rowChunk(rows: readonly Cells[], places: readonly number[], mark: number): SeriesChunk {
  const column = (place: number): Float64Array => {
    const values = new Float64Array(rows.length);
    for (const [index, row] of rows.entries()) values[index] = row[place] ?? Number.NaN;
    return values;
  };
  return {
    times: column(0),
    columns: places.map((place) => new ChunkColumn(valuesAlone(column(1 + place)))),
    ...(rows.some((row) => row[mark] === 1) && { imported: new ChunkColumn(valuesAlone(column(mark))) }),
  };
}
