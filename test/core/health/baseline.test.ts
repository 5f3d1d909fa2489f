import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bandOf, playerBands } from "../../../src/core/health/bands.ts";
import { baselineOf, type LevelBucket } from "../../../src/core/health/baseline.ts";
import { bucketsOf, day, five, start, times } from "./buckets.ts";
import { randomCases } from "../../support/long.ts";

/** So many buckets on each of the last days before `start`, or on those before `until`. */
const evenly = (days: number, perDay: number, until = start, players = 12): LevelBucket[] =>
  Array.from({ length: days }, (_, index) =>
    bucketsOf(times(perDay, 20), until - (index + 1) * day, players),
  ).flat();

describe("[OUR-HLT-01] bands of players", () => {
  it("begin and end at these counts", () => {
    const bounds = [0, 1, 4, 5, 9, 10, 19, 20, 39, 40, 79, 80, 5000];
    expect(bounds.map((players) => bandOf(players).from)).toEqual([
      0, 1, 1, 5, 5, 10, 10, 20, 20, 40, 40, 80, 80,
    ]);
    expect([0.5, 4.5, 9.9, 79.5].map((players) => bandOf(players).from)).toEqual([0, 1, 5, 40]);
  });

  it("cover all counts without a gap, and say their bounds", () => {
    expect(playerBands.map(({ to }) => (to ?? NaN) + 1)).toEqual([
      ...playerBands.slice(1).map(({ from }) => from),
      NaN,
    ]);
    expect(playerBands.map(({ text }) => text)).toEqual([
      "no players",
      "1 to 4 players",
      "5 to 9 players",
      "10 to 19 players",
      "20 to 39 players",
      "40 to 79 players",
      "80 players or more",
    ]);
  });
});

describe("the baseline of a day", () => {
  it("[OUR-HLT-02] has median and 98th percentile of each band", () => {
    // 100 values a band: 1 to 100, and the same ten times as much.
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    const buckets = values.flatMap((value) => {
      const from = start - (1 + (value % 5)) * day + value * five;
      return [bucketsOf([value], from), bucketsOf([value * 10], from, 0)].flat();
    });
    expect(baselineOf(buckets, start)).toEqual({
      day: start,
      bands: [
        { playersFrom: 0, median: 505, p98: 980, buckets: 100, days: 5 },
        { playersFrom: 10, median: 50.5, p98: 98, buckets: 100, days: 5 },
      ],
      enoughOn: null,
    });
  });

  it("[OUR-HLT-02] knows the 14 whole days before the day judged, and no other bucket", () => {
    const inside = evenly(14, 10);
    const outside = [
      ...bucketsOf([500], start - 14 * day - five),
      ...bucketsOf(times(288, 500), start),
      ...bucketsOf([500], start + day),
    ];
    expect(baselineOf([...outside, ...inside], start)).toEqual(baselineOf(inside, start));
    expect(baselineOf(inside, start).bands[0]).toMatchObject({ buckets: 140, days: 14, p98: 20 });
  });

  it("[OUR-HLT-02] does not depend on the order of buckets, and its figures are among or between them", () => {
    const bucket = fc.record({
      at: fc.integer({ min: -15 * 288, max: 287 }).map((slot) => start + slot * five),
      value: fc.double({ min: 0, max: 500, noNaN: true }),
      players: fc.integer({ min: 0, max: 100 }),
    });
    const twoOrders = fc
      .array(bucket, { minLength: 300, maxLength: 600, size: "max" })
      .chain((buckets) =>
        fc.tuple(fc.constant(buckets), fc.shuffledSubarray(buckets, { minLength: buckets.length })),
      );
    let judged = 0;
    fc.assert(
      fc.property(twoOrders, ([buckets, shuffled]) => {
        const baseline = baselineOf(buckets, start);
        expect(baselineOf(shuffled, start)).toEqual(baseline);
        for (const { playersFrom, median, p98, buckets: count } of baseline.bands) {
          const values = buckets
            .filter(
              ({ at, players }) =>
                at < start && at >= start - 14 * day && bandOf(players).from === playersFrom,
            )
            .map(({ value }) => value);
          expect(values).toHaveLength(count);
          expect(values).toContain(p98);
          expect(values.filter((value) => value > p98).length).toBeLessThanOrEqual(count * 0.02);
          expect(values.filter((value) => value < median).length).toBeLessThanOrEqual(count / 2);
          judged += 1;
        }
      }),
      { seed: 1, numRuns: 30 },
    );
    expect(judged).toBeGreaterThan(10);
  });

  it("[OUR-HLT-03] needs 48 buckets on 5 days", () => {
    expect(
      baselineOf([...evenly(5, 9), ...bucketsOf(times(3, 20), start - 7 * day)], start).bands,
    ).toHaveLength(1);
    expect(baselineOf([...evenly(5, 9), ...bucketsOf(times(2, 20), start - 7 * day)], start).bands).toEqual(
      [],
    );
    expect(baselineOf(evenly(4, 288), start).bands).toEqual([]);
    expect(baselineOf(evenly(5, 288), start).bands).toHaveLength(1);
  });

  it("[OUR-HLT-03] counts each band for itself", () => {
    const buckets = [...evenly(14, 20), ...evenly(4, 100, start, 3), ...evenly(14, 3, start, 90)];
    expect(baselineOf(buckets, start).bands.map(({ playersFrom }) => playersFrom)).toEqual([10]);
  });
});

describe("[OUR-HLT-04] the day from which a band has a baseline", () => {
  const on = (buckets: readonly LevelBucket[]): string | null => {
    const { enoughOn } = baselineOf(buckets, start);
    return enoughOn === null ? null : new Date(enoughOn).toISOString().slice(0, 10);
  };

  it("comes when its days or its buckets are enough, whichever is later", () => {
    expect(on(evenly(2, 200))).toBe("2026-11-23");
    expect(on(evenly(2, 6))).toBe("2026-11-26");
    expect(on(evenly(4, 288))).toBe("2026-11-21");
    // 24 in 7 days are 48 in 14, the most days it looks back.
    expect(on([...evenly(7, 3), ...bucketsOf(times(3, 20), start - day + 100 * five)])).toBe("2026-11-27");
  });

  it("is that of the band that gets there first", () => {
    expect(on([...evenly(2, 6), ...evenly(2, 200, start, 0)])).toBe("2026-11-23");
  });

  it("is foreseen from the first day on, which is the day judged itself", () => {
    expect(on(bucketsOf(times(100, 20), start))).toBe("2026-11-25");
    expect(on(bucketsOf(times(100, 20), start + day))).toBeNull();
  });

  it("does not come where 14 days are not enough, or nothing is measured", () => {
    // A bucket short of 48 in 14 days; a day in four.
    expect(on(evenly(14, 3))).toBeNull();
    expect(on([0, 4, 8].flatMap((ago) => evenly(1, 100, start - ago * day)))).toBeNull();
    expect(on(evenly(7, 3))).toBeNull();
    expect(on([])).toBeNull();
  });

  it("is not said once a band has one", () => {
    expect(on(evenly(5, 20))).toBeNull();
    expect(baselineOf(evenly(5, 20), start).bands).toHaveLength(1);
  });

  it("is the day on which a baseline is there, when data does go on", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 1, max: 60 }), (days, perDay) => {
        const { bands, enoughOn } = baselineOf(evenly(days, perDay), start);
        const hasOneOn = (later: number): boolean =>
          baselineOf(evenly(days + later, perDay, start + later * day), start + later * day).bands.length > 0;
        if (bands.length > 0) return;
        const first = Array.from({ length: 15 }, (_, later) => later).find(hasOneOn);
        expect(enoughOn).toBe(first === undefined ? null : start + first * day);
      }),
      { seed: 1, numRuns: randomCases(200) },
    );
  });
});
