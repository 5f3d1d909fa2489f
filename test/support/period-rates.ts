import { ChunkColumn, valuesAlone } from "../../src/core/metric/chunk-column.ts";
import { PeriodBuckets } from "../../src/core/metric/period-buckets.ts";
import { fieldsToRead, periodComparison } from "../../src/core/metric/compare-periods.ts";
import type { PeriodComparison } from "../../src/core/metric/period-comparison.ts";
import type { SeriesField } from "../../src/core/metric/fields.ts";
import { dice, normals } from "./dice.ts";

export const dayMs = 86_400_000;
const bucketMs = 300_000;
/** A Monday. */
export const start = Date.UTC(2026, 8, 7);

/** What one field and the players were in one five minutes; null where it was not measured. */
export interface Minutes {
  readonly players: number | null;
  readonly value: number | null;
}

export type At = (time: number) => Minutes;

/** A period of so many days from `from` on, one point every five minutes. */
export function period(from: number, days: number, at: At, field: SeriesField = "mspt"): PeriodBuckets {
  const buckets = new PeriodBuckets(from, from + days * dayMs, fieldsToRead([field]));
  const count = Math.round((days * dayMs) / bucketMs);
  const times = Float64Array.from({ length: count }, (_, index) => from + index * bucketMs);
  const made = Array.from(times, (time) => at(time));
  const column = (value: (minutes: Minutes) => number | null) =>
    new ChunkColumn(valuesAlone(Float64Array.from(made, (minutes) => value(minutes) ?? Number.NaN)));
  const columns = buckets.fields.map((each) =>
    column(({ players, value }) => (each === "player_count" ? players : each === field ? value : null)),
  );
  buckets.add({ times, columns });
  return buckets;
}

export function compared(
  base: PeriodBuckets,
  target: PeriodBuckets,
  fields: readonly SeriesField[] = ["mspt"],
  history: PeriodBuckets | null = null,
): PeriodComparison {
  const steps = periodComparison("s", fields, base, target, history);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** How a server's days differ; all as shares. */
export interface ServerNoise {
  /** Deviation of whole days from one another. */
  readonly day: number;
  /** Correlation of one day with the next. */
  readonly correlation: number;
  /** How many times as many play in the target. */
  readonly players?: number;
}

/**
 * A server with a daily and a weekly cycle of players, ticks that take longer with them, and noise of days and of
 * five minutes (10 %, each 0.9 of the one before).
 */
export function simulatedServer(noise: ServerNoise, random: () => number): (factor: number) => At {
  const normal = normals(random);
  const { correlation } = noise;
  let [day, offset, minutes] = [-1, normal(), 0];
  return (factor) => (time) => {
    const today = Math.floor(time / dayMs);
    if (today !== day) {
      day = today;
      offset = correlation * offset + Math.sqrt(1 - correlation * correlation) * normal();
    }
    minutes = 0.9 * minutes + 0.045 * normal();
    const hour = (time % dayMs) / 3_600_000;
    const weekend = today % 7 === 2 || today % 7 === 3 ? 1.6 : 1;
    const evening = Math.max(0, Math.cos(((hour - 19) / 12) * Math.PI));
    const crowd = factor === 0 ? 1 : (noise.players ?? 1);
    const players = Math.max(0, Math.round(crowd * weekend * 30 * evening + 2 * normal()));
    const ticks = (12 + 0.5 * players) * Math.exp(noise.day * offset + minutes);
    return { players, value: ticks * (factor === 0 ? 1 : factor) };
  };
}

/** How often each verdict on the tick time falls, as shares; the target's ticks take `factor` times as long. */
export function periodRates(
  noise: ServerNoise,
  days: number,
  factor: number,
  trials: number,
  seed = 1,
): Readonly<Record<string, number>> {
  const random = dice(seed);
  const counts: Record<string, number> = { better: 0, worse: 0, no_difference: 0, cannot_tell: 0 };
  for (let trial = 0; trial < trials; trial += 1) {
    const server = simulatedServer(noise, random);
    const base = period(start, days, server(0));
    const target = period(start + days * dayMs, days, server(factor));
    const { verdict = "" } = compared(base, target).fields[0] ?? {};
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).map(([word, count]) => [word, count / trials]));
}

export interface ShortPeriods {
  /** Of each side; 1/12 is two hours. */
  readonly days: number;
  /** Whole days before both, from which the noise is known. */
  readonly historyDays: number;
  /** The target's ticks take so many times as long. */
  readonly factor: number;
}

/** Verdicts as shares, and how many of them say the other direction, or any where nothing changed. */
export interface ShortRates {
  readonly worse: number;
  readonly better: number;
  readonly noDifference: number;
  readonly cannotTell: number;
  readonly wrong: number;
}

/** Preliminary verdicts count with the others. Two periods of hours lie a day apart, at the same hours. */
export function shortRates(
  noise: ServerNoise,
  { days, historyDays, factor }: ShortPeriods,
  trials: number,
  seed = 1,
): ShortRates {
  const random = dice(seed);
  const counts = new Map<string, number>();
  for (let trial = 0; trial < trials; trial += 1) {
    const server = simulatedServer(noise, random);
    const history = historyDays === 0 ? null : period(start, historyDays, server(0));
    // The evening's hours, which have most players.
    const from = start + historyDays * dayMs + (days < 1 ? 18 * 3_600_000 : 0);
    const base = period(from, days, server(0));
    const target = period(from + Math.max(1, days) * dayMs, days, server(factor));
    const { verdict = "" } = compared(base, target, ["mspt"], history).fields[0] ?? {};
    const word = verdict.replace("preliminary_", "");
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const share = (word: string): number => (counts.get(word) ?? 0) / trials;
  const [worse, better] = [share("worse"), share("better")];
  const wrong = factor > 1 ? better : factor < 1 ? worse : worse + better;
  return { worse, better, noDifference: share("no_difference"), cannotTell: share("cannot_tell"), wrong };
}
