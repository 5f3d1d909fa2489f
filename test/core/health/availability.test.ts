import { describe, expect, it } from "vitest";
import { availabilityOf } from "../../../src/core/health/availability.ts";
import type { HealthFacts } from "../../../src/core/health/facts.ts";
import { dice } from "../../support/dice.ts";
import { day, eventOf, factsOf, hour, minute, noon } from "./facts.ts";

const second = 1000;

type Availability = ReturnType<typeof availabilityOf>;

interface Life extends Known {
  readonly facts: HealthFacts;
}

/** Days of a server that runs, crashes, stops and falls silent, with windows of maintenance, from a random first day on. */
function randomLife(seed: number): Life {
  const random = dice(seed);
  const upTo = (most: number): number => Math.floor(random() * most) * second;
  const from = noon - day;
  const firstSampleAt = from + Math.floor((random() - 0.7) * 86_400) * second;
  const samples: number[] = [];
  const stops: number[] = [];
  let at = firstSampleAt;
  while (at < noon) {
    const runsUntil = at + minute + upTo(6 * 3600);
    for (; at < Math.min(runsUntil, noon); at += (random() < 0.1 ? 60 : 30) * second) samples.push(at);
    const last = samples.at(-1) ?? at;
    if (random() < 0.4) stops.push(last + upTo(150));
    at = last + minute + upTo(random() < 0.5 ? 120 : 3 * 3600);
  }
  const maintenance: { startedAt: number; endsAt: number }[] = [];
  for (let start = from - hour + upTo(10 * 3600); start < noon;) {
    const endsAt = start + minute + upTo(2 * 3600);
    maintenance.push({ startedAt: start, endsAt });
    start = endsAt + upTo(12 * 3600);
  }
  const known = samples.filter((time) => time >= from);
  const before = samples.findLast((time) => time < from);
  const facts = factsOf({
    from,
    firstSampleAt,
    sampleTimes: Float64Array.from(before === undefined ? known : [before, ...known]),
    events: stops.map((time) => eventOf("server_stop", time)).toReversed(),
    maintenance,
  });
  return { facts, from, firstSampleAt, samples, stops, maintenance };
}

interface Known {
  readonly from: number;
  readonly firstSampleAt: number;
  readonly samples: readonly number[];
  readonly stops: readonly number[];
  readonly maintenance: HealthFacts["maintenance"];
}

/** The same worked out second by second: what was each, from the samples around it. */
function bySeconds({ from, firstSampleAt, samples, stops, maintenance }: Known): Availability {
  const seconds = { up: 0, down: 0, stopped: 0, maintenance: 0, unmonitored: 0 };
  const silences = new Set<number>();
  let next = 0;
  for (let at = from; at < noon; at += second) {
    while ((samples[next] ?? Infinity) <= at) next += 1;
    const last = samples[next - 1] ?? 0;
    const isNear = (samples[next] ?? noon) - last <= 90 * second;
    const isExcused = (): boolean => stops.some((time) => Math.abs(time - last) <= 120 * second);
    const isTended = (): boolean =>
      maintenance.some(({ startedAt, endsAt }) => at >= startedAt && at < endsAt);
    if (at < firstSampleAt) seconds.unmonitored += 1;
    else if (isNear) seconds.up += 1;
    else if (isExcused()) seconds.stopped += 1;
    else if (isTended()) seconds.maintenance += 1;
    else {
      seconds.down += 1;
      silences.add(last);
    }
  }
  const judged = seconds.up + seconds.down;
  return {
    percent: judged === 0 ? null : Math.floor((seconds.up * 10_000) / judged) / 100,
    up_seconds: seconds.up,
    down_seconds: seconds.down,
    stopped_seconds: seconds.stopped,
    maintenance_seconds: seconds.maintenance,
    unmonitored_seconds: seconds.unmonitored,
    incidents: silences.size,
  };
}

const sumOf = (each: Availability): number =>
  each.up_seconds +
  each.down_seconds +
  each.stopped_seconds +
  each.maintenance_seconds +
  each.unmonitored_seconds;

describe("[OUR-HLT-38] availability", () => {
  it("is what a count of seconds says, over random lives of servers", () => {
    const met = { down: 0, stopped: 0, maintenance: 0, unmonitored: 0 };
    for (let seed = 1; seed <= 60; seed += 1) {
      const life = randomLife(seed);
      const expected = bySeconds(life);
      expect([seed, availabilityOf(life.facts)]).toEqual([seed, expected]);
      expect(sumOf(expected)).toBe(86_400);
      for (const kind of ["down", "stopped", "maintenance", "unmonitored"] as const)
        if (expected[`${kind}_seconds`] > 0) met[kind] += 1;
    }
    expect(Math.min(...Object.values(met))).toBeGreaterThan(5);
  });

  it("has parts that sum to the period wherever its ends and the samples lie", () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const { facts } = randomLife(seed);
      const random = dice(seed);
      const moved = factsOf({
        ...facts,
        from: facts.from + Math.floor(random() * 1000),
        to: noon - Math.floor(random() * 3_000_000),
        sampleTimes: facts.sampleTimes.map((at) => at + Math.floor(random() * 1000)),
      });
      expect(sumOf(availabilityOf(moved))).toBe(Math.round((moved.to - moved.from) / 1000));
    }
  });

  it("takes a silence that began before the period for what it began as", () => {
    const last = noon - 3 * day;
    const silent = { sampleTimes: Float64Array.of(last) };
    const stopped = { percent: null, stopped_seconds: 86_400, incidents: 0 };
    expect(availabilityOf(factsOf(silent))).toMatchObject({ percent: 0, down_seconds: 86_400, incidents: 1 });
    const stop = eventOf("server_stop", last + 5 * second);
    expect(availabilityOf(factsOf({ ...silent, events: [stop] }))).toMatchObject(stopped);
    const state = { state: "stopped", stateSince: last + 5 * second } as const;
    expect(availabilityOf(factsOf({ ...silent, ...state }))).toMatchObject(stopped);
  });
});

describe("[OUR-HLT-69] time without monitoring", () => {
  const off = noon - 6 * hour;
  const on = noon - 4 * hour;
  const switched = [
    { at: off, kind: "off" },
    { at: on, kind: "on" },
  ] as const;
  /** A sample every 30 seconds of a day but between two instants. */
  const without = (from: number, to: number): Float64Array =>
    Float64Array.from({ length: 2880 }, (_, index) => noon - day + index * 30 * second).filter(
      (at) => at < from || at >= to,
    );

  it("is neither up nor down, and what is left of the silence around it is judged alone", () => {
    const facts = factsOf({ sampleTimes: without(off, on + 30 * second), transitions: switched });
    expect(availabilityOf(facts)).toMatchObject({
      percent: 100,
      up_seconds: 22 * 3600,
      down_seconds: 0,
      unmonitored_seconds: 7200,
      incidents: 0,
    });
    const crashed = { ...facts, sampleTimes: without(off - 10 * minute, on + 5 * minute) };
    expect(availabilityOf(crashed)).toMatchObject({
      down_seconds: 15 * 60 + 30,
      unmonitored_seconds: 7200,
      incidents: 2,
    });
  });

  it("may have begun before the period, and may last", () => {
    const before = factsOf({
      sampleTimes: Float64Array.of(noon - 3 * day, ...without(0, on)),
      transitions: [
        { at: noon - 3 * day + second, kind: "off" },
        { at: on, kind: "on" },
      ],
    });
    const begun = { percent: 100, down_seconds: 0, up_seconds: 4 * 3600, unmonitored_seconds: 20 * 3600 };
    expect(availabilityOf(before)).toMatchObject(begun);
    expect(availabilityOf({ ...before, transitions: [{ at: on, kind: "on" }] })).toMatchObject(begun);
    const lasting = factsOf({ sampleTimes: without(off, noon), transitions: [{ at: off, kind: "off" }] });
    expect(availabilityOf(lasting)).toMatchObject({ percent: 100, unmonitored_seconds: 6 * 3600 });
  });

  it("is also that of a plan that does not cover the server any more", () => {
    const facts = factsOf({ sampleTimes: without(off, noon), state: "not_monitored", stateSince: null });
    expect(availabilityOf(facts)).toMatchObject({ percent: 100, down_seconds: 0 });
    expect(availabilityOf({ ...facts, state: "unreachable" })).toMatchObject({ incidents: 1 });
  });

  it("[OUR-HLT-38] a silence that only a heartbeat announced is stopped", () => {
    const facts = factsOf({ sampleTimes: without(off, on), transitions: [{ at: off, kind: "stopped" }] });
    expect(availabilityOf(facts)).toMatchObject({ percent: 100, down_seconds: 0, stopped_seconds: 7230 });
    const late = factsOf({ sampleTimes: without(off, on), transitions: [{ at: on, kind: "paused" }] });
    expect(availabilityOf(late)).toMatchObject({ stopped_seconds: 0, incidents: 1 });
  });
});
