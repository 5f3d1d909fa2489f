import { sampleFields, type SeriesField } from "../fields.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { decodeIntegers, EncodedColumn, encodeColumn, encodeIntegers } from "./column-code.ts";
import { DamagedBlock } from "./damaged-block.ts";

const version = 1;
/** Exports from before 0.1.0 have another kind, which an import leaves out. */
const samplesKind = 0;

/** Twice the points that two hours usually have; limits how much is decoded at a time. */
export const segmentPointsAtMost = 480;

/** Other writers may make longer segments, but a damaged one must not claim more memory than this. */
const readablePoints = 4096;

export const fieldColumn = (field: SeriesField): number => sampleFields[field].id;
/** The time of receipt less the time of the sample, ms. */
export const receivedColumn = 200;
/** 1 if the server was paused because nobody was on it. */
export const pausedColumn = 201;
/** 1 if the sample was imported: its details name the source. */
export const importedColumn = 202;

export interface SegmentContent {
  /** Milliseconds since the epoch, ascending, each once; 1 to 4,096 of them. */
  readonly times: Float64Array;
  /** By the number of the column, as long as `times`; NaN is an unknown value. */
  readonly columns: ReadonlyMap<number, Float64Array>;
  /** The packed details of the points; null if none has any. */
  readonly details: Uint8Array | null;
}

export function encodeSegment({ times, columns, details }: SegmentContent): Uint8Array {
  const first = times[0] ?? 0;
  const offsets = encodeIntegers(
    times.map((time) => time - first),
    0,
  );
  const encoded = [...columns].flatMap(([id, values]) => {
    const bytes = encodeColumn(values);
    return bytes === null ? [] : [{ id, bytes }];
  });
  const body = new ByteWriter();
  body.count(times.length);
  body.count(first);
  body.count((times.at(-1) ?? 0) - first);
  body.byte(offsets.order);
  body.count(offsets.bytes.length);
  body.all(offsets.bytes);
  body.count(encoded.length);
  for (const { id, bytes } of encoded) {
    body.byte(id);
    body.count(bytes.length);
  }
  for (const { bytes } of encoded) body.all(bytes);
  if (details !== null) body.all(details);
  const bytes = body.taken();
  const whole = new ByteWriter();
  whole.byte(version);
  whole.byte(samplesKind);
  whole.count(bytes.length);
  whole.all(bytes);
  return whole.taken();
}

/** Columns are decoded one by one, when they are needed. */
export class BlockSegment {
  readonly length: number;
  readonly first: number;
  readonly last: number;
  /** The whole segment, its head included. */
  readonly bytes: Uint8Array;
  readonly #order: number;
  readonly #offsets: Uint8Array;
  readonly #directory: readonly (readonly [id: number, start: number, end: number])[];
  readonly #details: Uint8Array;

  constructor(bytes: Uint8Array, bodyAt: number) {
    const reader = new ByteReader(bytes, bodyAt);
    this.bytes = bytes;
    this.length = reader.count();
    if (this.length === 0 || this.length > readablePoints)
      throw new DamagedBlock("it has too many points, or none");
    this.first = reader.count();
    this.last = this.first + reader.count();
    this.#order = reader.byte();
    this.#offsets = reader.take(reader.count());
    const directory: [id: number, start: number, end: number][] = [];
    let end = 0;
    for (let left = reader.count(); left > 0; left -= 1) {
      const id = reader.byte();
      const start = end;
      end += reader.count();
      directory.push([id, start, end]);
    }
    const columnsAt = reader.at;
    reader.take(end);
    this.#directory = directory.map(([id, start, end]) => [id, columnsAt + start, columnsAt + end]);
    this.#details = bytes.subarray(reader.at);
  }

  get columnIds(): number[] {
    return this.#directory.map(([id]) => id);
  }

  get details(): Uint8Array | null {
    return this.#details.length === 0 ? null : this.#details;
  }

  times(): Float64Array {
    const times = new Float64Array(this.length);
    decodeIntegers(this.#offsets, 0, this.#order, 1, times);
    let before = -1;
    for (let index = 0; index < times.length; index += 1) {
      const offset = times[index] ?? 0;
      if (offset <= before) throw new DamagedBlock("its times are out of order");
      before = offset;
      times[index] = this.first + offset;
    }
    if (times[0] !== this.first || times.at(-1) !== this.last)
      throw new DamagedBlock("its times are others than it says");
    return times;
  }

  /** Null if no value of the column is known. */
  column(id: number): EncodedColumn | null {
    const place = this.#directory.find(([each]) => each === id);
    return place === undefined
      ? null
      : new EncodedColumn(this.bytes.subarray(place[1], place[2]), this.length);
  }

  content(): SegmentContent {
    const columns = this.columnIds.map(
      (id) => [id, this.column(id)?.values() ?? new Float64Array(0)] as const,
    );
    return { times: this.times(), columns: new Map(columns), details: this.details };
  }
}

export const blockExtent = (
  segments: readonly BlockSegment[],
): { readonly first_at: number; readonly last_at: number; readonly points: number } => ({
  first_at: segments.reduce((first, segment) => Math.min(first, segment.first), Number.MAX_SAFE_INTEGER),
  last_at: segments.reduce((last, segment) => Math.max(last, segment.last), 0),
  points: segments.reduce((points, segment) => points + segment.length, 0),
});

/** In their order; throws `DamagedBlock` for bytes that are no block. */
export function blockSegments(block: Uint8Array): BlockSegment[] {
  const segments: BlockSegment[] = [];
  for (let start = 0; start < block.length;) {
    const reader = new ByteReader(block, start);
    if (reader.byte() !== version) throw new DamagedBlock("its version is not known");
    if (reader.byte() !== samplesKind) throw new DamagedBlock("its kind is not known");
    const length = reader.count();
    const bodyAt = reader.at - start;
    reader.take(length);
    segments.push(new BlockSegment(block.subarray(start, reader.at), bodyAt));
    start = reader.at;
  }
  return segments;
}
