import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bandIndexOf, playerBands } from "../../../src/core/health/bands.ts";
import { periodComparison } from "../../../src/core/metric/compare-periods.ts";
import { ChunkColumn, valuesAlone } from "../../../src/core/metric/chunk-column.ts";
import { PeriodBuckets } from "../../../src/core/metric/period-buckets.ts";
import type { FieldComparison } from "../../../src/core/metric/period-comparison.ts";
import { sampleFields, seriesFields, type SeriesField } from "../../../src/core/metric/fields.ts";
import { compared, dayMs, period, simulatedServer, start, type At } from "../../support/period-rates.ts";
import { dice } from "../../support/dice.ts";
import { randomCases } from "../../support/long.ts";

const hourOf = (time: number): number => (time % dayMs) / 3_600_000;
const dayOf = (time: number): number => Math.floor(time / dayMs);

/** The only field of a comparison. */
function fieldOf(base: PeriodBuckets, target: PeriodBuckets, field: SeriesField = "mspt"): FieldComparison {
  const [only] = compared(base, target, [field]).fields;
  if (!only) throw new Error("There is no field.");
  return only;
}

/** A server whose days lie a little apart, and whose ticks take as long whoever plays. */
const steady =
  (level: number, spread = 0.1): At =>
  (time) => ({ players: 7, value: level + spread * (dayOf(time) % 5) });

/** Fields that are no better or worse however they move. */
const builtOrSet: readonly SeriesField[] = [
  "player_count",
  "entity_count",
  "loaded_chunks",
  "cpu_cores",
  "tile_entities",
  "ram_used_mb",
  "ram_max_mb",
  "region_count",
  "container_limit_mb",
  "regions_omitted",
];

const later = (days: number): number => start + days * dayMs;

describe("verdicts", () => {
  it("[OUR-CPR-01] [OUR-CPR-05] finds a planted shift of the size it has, in the field's own direction", () => {
    const of = (field: SeriesField, from: number, to: number) =>
      fieldOf(period(start, 7, steady(from), field), period(later(7), 7, steady(to), field), field);
    const slower = of("mspt", 20, 26);
    expect(slower).toMatchObject({ verdict: "worse", reason: null, unit: "ms", load_adjusted: true });
    expect(Math.abs((slower.shift ?? 0) - 6)).toBeLessThanOrEqual(0.1);
    expect(slower.interval?.[0]).toBeLessThanOrEqual(6);
    expect(slower.interval?.[1]).toBeGreaterThanOrEqual(6);
    expect(slower.confidence_percent).toBeGreaterThanOrEqual(99);
    expect(slower.noise).toBeCloseTo(((slower.interval?.[1] ?? 0) - (slower.interval?.[0] ?? 0)) / 2, 2);
    expect(of("mspt", 26, 20).verdict).toBe("better");
    expect([of("tps", 19, 15).verdict, of("tps", 15, 19).verdict]).toEqual(["worse", "better"]);
  });

  it("[OUR-CPR-06] what players build and owners set is higher or lower, never better or worse", () => {
    const words = seriesFields.map((field) => {
      const at =
        (value: number): At =>
        () => ({ players: 7, value });
      // The number of players is the field itself.
      const crowd =
        (value: number): At =>
        () => ({ players: value, value });
      const made = field === "player_count" ? crowd : at;
      return [
        field,
        fieldOf(period(start, 7, made(100), field), period(later(7), 7, made(200), field), field).verdict,
      ];
    });
    const whose = (...meanings: string[]) =>
      seriesFields.filter((field) => meanings.includes(sampleFields[field].compare));
    const named = (verdict: string) => words.filter(([, word]) => word === verdict).map(([field]) => field);
    expect(named("higher")).toEqual(whose("plain", "unadjusted"));
    expect(named("better")).toEqual(whose("more"));
    expect(named("worse")).toEqual(whose("less"));
    expect(named("higher")).toEqual(expect.arrayContaining([...builtOrSet]));
  });

  it("[OUR-CPR-06] a shift below the tie band is no difference, however sure", () => {
    const at =
      (value: number): At =>
      () => ({ players: 7, value });
    const of = (from: number, to: number, field: SeriesField = "mspt") =>
      fieldOf(period(start, 7, at(from), field), period(later(7), 7, at(to), field), field);
    expect(of(20, 20.9)).toMatchObject({ verdict: "no_difference", tie_band: 1.045 });
    expect(of(20, 21.1).verdict).toBe("worse");
    expect(of(2, 2.4)).toMatchObject({ verdict: "no_difference", tie_band: 0.5 });
    expect(of(19.9, 19.75, "tps")).toMatchObject({ verdict: "no_difference", tie_band: 0.199 });
    expect(of(19.9, 19.6, "tps").verdict).toBe("worse");
  });

  it("[OUR-CPR-07] says why it cannot tell", () => {
    const seven = period(start, 7, steady(20));
    const reason = (target: PeriodBuckets) => {
      const { verdict, reason, shift } = fieldOf(seven, target);
      return [verdict, reason, shift];
    };
    // An hour in common is too little.
    expect(reason(period(later(7), 1 / 24, steady(40)))).toEqual(["cannot_tell", "too_few_days", null]);
    // A day with less than four hours does not count.
    const mornings =
      (hours: number): At =>
      (time) => ({
        players: 7,
        value: hourOf(time) < hours ? 40 + (dayOf(time) % 3) : null,
      });
    expect(reason(period(later(7), 7, mornings(3.9))).slice(0, 2)).toEqual(["preliminary_worse", null]);
    expect(fieldOf(seven, period(later(7), 7, mornings(4))).verdict).toBe("worse");
    const crowd: At = (time) => ({ players: 90, value: 40 + (dayOf(time) % 3) });
    expect(reason(period(later(7), 7, crowd))).toEqual(["cannot_tell", "loads_unlike", null]);
    const wild: At = (time) => ({ players: 7, value: dayOf(time) % 2 === 0 ? 10 : 40 });
    expect(reason(period(later(7), 7, wild)).slice(0, 2)).toEqual(["cannot_tell", "within_noise"]);
    const silent: At = () => ({ players: 7, value: null });
    expect(fieldOf(period(start, 7, silent), period(later(7), 7, silent)).reason).toBe("not_measured");
  });
});

describe("load", () => {
  /** Ticks that take 10 ms and half a ms for each player. */
  const loaded =
    (players: (time: number) => number, factor = 1): At =>
    (time) => ({
      players: players(time),
      value: factor * (10 + players(time) / 2) + 0.05 * (dayOf(time) % 5),
    });
  const few = (time: number): number => Math.round(hourOf(time) / 2);
  const more = (time: number): number => Math.round(hourOf(time) * 1.5);

  it("[OUR-CPR-04] more players alone make no server slower, and do not hide that it is", () => {
    const base = period(start, 7, loaded(few));
    const busier = fieldOf(base, period(later(7), 7, loaded(more)));
    expect(busier.verdict).toBe("no_difference");
    expect(busier.shift_unadjusted).toBeGreaterThan(4);
    expect(busier.bands_compared).toEqual(["1-4", "5-9", "10-19"]);
    const quieter = fieldOf(period(start, 7, loaded(more)), period(later(7), 7, loaded(few, 1.3)));
    expect(quieter.verdict).toBe("worse");
    expect(quieter.shift_unadjusted).toBeLessThan(0);
  });

  it("[OUR-CPR-04] [OUR-CPR-13] without a number of players the days are compared as they are, which the answer says", () => {
    const alone =
      (value: number): At =>
      () => ({ players: null, value });
    const answer = compared(period(start, 7, alone(20)), period(later(7), 7, alone(30)));
    expect(answer.fields[0]).toMatchObject({ verdict: "worse", load_adjusted: false, bands_compared: [] });
    expect(answer.caveats).toEqual(["players_not_measured"]);
    expect(answer.base.peak_hour).toBeNull();
    expect(answer.capacity.base.missing?.code).toBe("players_not_measured");
  });

  it("[OUR-CPR-04] the bands are seven, from an empty server on", () => {
    expect(
      [0, 0.9, 1, 4.9, 5, 10, 20, 40, 80, 5000].map((players) => playerBands[bandIndexOf(players)]?.name),
    ).toEqual(["0", "0", "1-4", "1-4", "5-9", "10-19", "20-39", "40-79", "80+", "80+"]);
  });
});

describe("profiles", () => {
  it("[OUR-CPR-09] has the median of each UTC hour, the hour with the most players, and the bands of both", () => {
    const at =
      (peak: number): At =>
      (time) => {
        const hour = Math.floor(hourOf(time));
        return { players: hour === peak ? 12 : hour === 3 ? null : 2, value: hour === 3 ? null : 10 + hour };
      };
    const answer = compared(period(start, 7, at(19)), period(later(7), 7, at(21)));
    expect([answer.base.peak_hour, answer.target.peak_hour]).toEqual([19, 21]);
    const expected = Array.from({ length: 24 }, (_, hour) => (hour === 3 ? null : 10 + hour));
    expect(answer.fields[0]?.hours).toEqual({ base: expected, target: expected });
    expect(answer.fields[0]?.bands).toEqual([
      { band: "1-4", base: { days: 7, median: 21.5 }, target: { days: 7, median: 21.5 } },
      { band: "10-19", base: { days: 7, median: 29 }, target: { days: 7, median: 31 } },
    ]);
    const empty: At = () => ({ players: 0, value: 1 });
    expect(compared(period(start, 7, empty), period(later(7), 7, empty)).base.peak_hour).toBeNull();
  });

  it("[OUR-CPR-13] says when the periods have different days of the week", () => {
    const caveats = (days: number, gap: number) =>
      compared(period(start, days, steady(20)), period(later(days + gap), days, steady(20))).caveats;
    expect([caveats(7, 0), caveats(14, 3), caveats(5, 2)]).toEqual([[], [], []]);
    expect([caveats(5, 0), caveats(6, 0)]).toEqual([["weekdays_differ"], ["weekdays_differ"]]);
  });
});

it("[OUR-CPR-12] is made in steps, several for each field", () => {
  const fields: SeriesField[] = ["mspt", "tps", "cpu_usage"];
  const steps = [
    ...periodComparison("s", fields, period(start, 7, steady(20)), period(later(7), 7, steady(20))),
  ];
  expect(steps.length).toBeGreaterThanOrEqual(3 * fields.length);
});

describe("properties", () => {
  const random = fc.record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    days: fc.integer({ min: 3, max: 9 }),
    others: fc.integer({ min: 3, max: 9 }),
    factor: fc.constantFrom(1, 1.1, 1.5, 3),
  });
  const made = ({
    seed,
    days,
    others,
    factor,
  }: {
    seed: number;
    days: number;
    others: number;
    factor: number;
  }) => {
    const server = simulatedServer({ day: 0.1, correlation: 0 }, dice(seed));
    return [period(start, days, server(0)), period(later(days), others, server(factor))] as const;
  };
  const opposite: Readonly<Record<string, string>> = {
    better: "worse",
    worse: "better",
    preliminary_better: "preliminary_worse",
    preliminary_worse: "preliminary_better",
  };
  const negative = (value: number | null): number | null => (value === null ? null : 0 - value);

  it("[OUR-CPR-08] swapped periods give the opposite verdict and the same figures with the other sign", () => {
    fc.assert(
      fc.property(random, (input) => {
        const [base, target] = made(input);
        const [one, other] = [fieldOf(base, target), fieldOf(target, base)];
        expect(other.verdict).toBe(opposite[one.verdict] ?? one.verdict);
        expect([other.shift, other.noise, other.tie_band]).toEqual([
          negative(one.shift),
          one.noise,
          one.tie_band,
        ]);
        expect(other.shift_unadjusted).toBe(negative(one.shift_unadjusted));
        expect(other.interval).toEqual(one.interval && one.interval.toReversed().map(negative));
        expect([other.base, other.target, other.bands_compared]).toEqual([
          one.target,
          one.base,
          one.bands_compared,
        ]);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it("[OUR-CPR-08] [OUR-CPR-03] neither the order of the points nor how they are cut matters", () => {
    const point = fc.record({
      at: fc.integer({ min: 0, max: 9999 }),
      value: fc.option(fc.integer({ min: 0, max: 500 }), { nil: Number.NaN }),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (points, size) => {
        const gathered = (each: readonly (typeof points)[number][], length: number) => {
          const buckets = new PeriodBuckets(start, start + 9_000_000, ["mspt"]);
          for (let from = 0; from < each.length; from += length) {
            const part = each.slice(from, from + length);
            const values = Float64Array.from(part, ({ value }) => value);
            const times = Float64Array.from(part, ({ at }) => start + at * 1000);
            buckets.add({ times, columns: [new ChunkColumn(valuesAlone(values))] });
          }
          return [buckets.points, [...buckets.means("mspt")]];
        };
        const whole = gathered(points, 100);
        expect(gathered(points.toReversed(), size)).toEqual(whole);
      }),
      { numRuns: randomCases(200), seed: 7 },
    );
  });
});
