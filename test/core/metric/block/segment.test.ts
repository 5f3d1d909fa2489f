import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DamagedBlock } from "../../../../src/core/metric/block/damaged-block.ts";
import {
  encodeSegment,
  fieldColumn,
  pausedColumn,
  receivedColumn,
  blockSegments,
  type SegmentContent,
} from "../../../../src/core/metric/block/segment.ts";
import { seriesFields } from "../../../../src/core/metric/fields.ts";
import { isLong } from "../../../support/long.ts";

const start = Date.UTC(2026, 10, 20, 8);

/** The fields of the first release, in the order of their numbers: blocks of every installation have these. */
const firstFields = [
  "tps",
  "mspt",
  "player_count",
  "entity_count",
  "loaded_chunks",
  "cpu_cores",
  "tile_entities",
  "ram_used_mb",
  "ram_max_mb",
  "cpu_usage",
  "cpu_system",
  "worst_tick_ms",
  "mspt_p95",
  "ticks_over_50ms",
  "lag_seconds",
  "heap_after_gc_mb",
  "rss_mb",
  "container_limit_mb",
  "ping_ms",
  "gc_stw_ms",
  "region_count",
  "tps_region_avg",
  "mspt_region_avg",
  "regions_omitted",
] as const;

/** A column with values of one kind, some of them unknown. */
const column = (length: number): fc.Arbitrary<Float64Array> => {
  const values = fc.oneof(
    fc.double({ noNaN: true }),
    fc.constantFrom(-0, 0, 5e-324, Number.MAX_VALUE, Number.NEGATIVE_INFINITY, 2 ** 53, 1e12, 0.1 + 0.2),
  );
  const decimal = (places: number, most: number) =>
    fc.integer({ min: -most, max: most }).map((value) => value / 10 ** places + 0);
  const of = (value: fc.Arbitrary<number>) => fc.array(value, { minLength: length, maxLength: length });
  const known = fc.oneof(
    of(values),
    of(fc.oneof(decimal(0, 20), decimal(2, 2000))),
    of(decimal(9, 2 ** 31 - 1)),
    of(decimal(0, 2 ** 31 - 1)),
    of(fc.oneof({ weight: 30, arbitrary: fc.constant(20) }, { weight: 1, arbitrary: values })),
    fc.tuple(of(fc.integer({ min: -3, max: 3 })), fc.integer({ min: 0, max: 3 })).map(([steps, places]) => {
      let value = 1000;
      return steps.map((step) => (value += step) / 10 ** places);
    }),
    values.map((value) => Array.from({ length }, () => value)),
  );
  const unknown = fc.oneof(fc.constant([]), fc.uniqueArray(fc.nat(length - 1)));
  return fc.tuple(known, unknown).map(([values, places]) => {
    const made = Float64Array.from(values);
    for (const place of places) made[place] = Number.NaN;
    return made;
  });
};

const content: fc.Arbitrary<SegmentContent> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 20, arbitrary: fc.constant(30_000) }, fc.integer({ min: 1, max: 7e6 })), {
      minLength: 1,
      maxLength: 300,
    }),
    fc.option(fc.uint8Array({ minLength: 1, maxLength: 50 })),
  )
  .chain(([steps, details]) => {
    let at = start;
    const times = Float64Array.from(steps, (step) => (at += step));
    return fc
      .dictionary(fc.integer({ min: 0, max: 255 }).map(String), column(times.length), { maxKeys: 5 })
      .map((columns) => ({
        times,
        columns: new Map(Object.entries(columns).map(([id, values]) => [Number(id), values])),
        details,
      }));
  });

/** The same but for columns without any value, which are not stored. */
const stored = (content: SegmentContent): SegmentContent => ({
  ...content,
  columns: new Map([...content.columns].filter(([, values]) => !values.every(Number.isNaN))),
});

const copied = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes);

describe("a segment of a block", () => {
  it("[OUR-MET-31] [OUR-MET-32] gives back every double as it was, −0 too, and knows where none was", () => {
    fc.assert(
      fc.property(content, (content) => {
        const [segment, ...others] = blockSegments(encodeSegment(content));
        expect(others).toEqual([]);
        const read = segment?.content();
        expect(read && { ...read, details: read.details && copied(read.details) }).toEqual(stored(content));
        for (const [id, values] of stored(content).columns) {
          const known = values.filter((value) => !Number.isNaN(value));
          const totals = segment?.column(id)?.totals;
          expect(totals).toMatchObject({ count: known.length });
          expect([(totals?.min ?? 1) + 0, (totals?.max ?? 1) + 0]).toEqual([
            Math.min(...known) + 0,
            Math.max(...known) + 0,
          ]);
          const sum = known.reduce((total, value) => total + value, 0);
          const size = known.reduce((total, value) => total + Math.abs(value), 0);
          if (Number.isFinite(size))
            expect(Math.abs((totals?.sum ?? 0) - sum)).toBeLessThanOrEqual(size * 1e-12);
        }
      }),
      { numRuns: isLong ? 10_000 : 300 },
    );
  });

  it("[OUR-MET-31] follows others in one block, each found again without reading its columns", () => {
    const at = (time: number): SegmentContent => ({
      times: Float64Array.of(time, time + 1),
      columns: new Map([[3, Float64Array.of(1.5, Number.NaN)]]),
      details: null,
    });
    const block = Uint8Array.from([...encodeSegment(at(start)), ...encodeSegment(at(start + 9))]);
    expect(blockSegments(block).map(({ first, last, length }) => [first, last, length])).toEqual([
      [start, start + 1, 2],
      [start + 9, start + 10, 2],
    ]);
    expect(blockSegments(new Uint8Array(0))).toEqual([]);
  });

  it("[OUR-MET-33] that is damaged is refused by one error, whatever its bytes", () => {
    const readAll = (bytes: Uint8Array): void => {
      try {
        for (const segment of blockSegments(bytes)) segment.content();
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedBlock);
      }
    };
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(content, damage, fc.option(fc.nat()), (content, changes, cut) => {
        const bytes = copied(encodeSegment(content));
        for (const [place, value] of changes) bytes[place % bytes.length] = value;
        readAll(cut === null ? bytes : bytes.subarray(0, cut % bytes.length));
      }),
      { numRuns: isLong ? 100_000 : 500 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), readAll), { numRuns: isLong ? 100_000 : 500 });
    for (const bytes of [
      [2, 0, 0],
      [1, 1, 0],
      [1, 0, 5, 1],
    ])
      expect(() => blockSegments(Uint8Array.from(bytes))).toThrow(DamagedBlock);
  });

  it("[OUR-MET-31] has a number for each column that never changes, and no other column has", () => {
    expect(firstFields.map((field) => fieldColumn(field))).toEqual(firstFields.map((_, index) => index));
    const numbers = [...seriesFields.map((field) => fieldColumn(field)), receivedColumn, pausedColumn];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 256)).toBe(true);
    expect([receivedColumn, pausedColumn]).toEqual([200, 201]);
  });

  it("[OUR-MET-34] takes no more than 1.2 bytes a value of what a server usually sends", () => {
    const wave = (index: number, places: number, size: number): number =>
      Math.round(10 ** places * size * (1 + 0.3 * Math.sin(index / 40) + 0.1 * Math.sin(index * index))) /
      10 ** places;
    const times = Float64Array.from({ length: 240 }, (_, index) => start + index * 30_000);
    const of = (places: number, size: number) => times.map((_, index) => wave(index, places, size));
    const columns = new Map([of(2, 20), of(2, 15), of(1, 80), of(0, 12), of(0, 3000), of(1, 30)].entries());
    const values = 6 * times.length;
    const { length } = encodeSegment({ times, columns, details: null });
    expect(length / values).toBeLessThan(1.2);
    // The bound is one: the same values as doubles take 8 bytes each.
    expect(length).toBeGreaterThan(0.3 * values);
  });
});
