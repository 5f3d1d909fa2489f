import { describe, expect, it } from "vitest";
import { findingsOf } from "../../../src/core/health/evaluate.ts";
import type { HealthFacts } from "../../../src/core/health/facts.ts";
import { healthFields } from "../../../src/core/health/health-fields.ts";
import { HealthSamples } from "../../../src/core/health/health-samples.ts";
import { tickOverBudget } from "../../../src/core/health/rules/ticks.ts";
import { tracedMs, watchedMs } from "../../../src/core/health/thresholds.ts";
import { median } from "../../../src/core/statistics/order.ts";
import type { Instant } from "../../../src/core/time.ts";
import { dice, normals } from "../../support/dice.ts";
import { bucketMs, plantedAt, serverKinds, slowHistory } from "../../support/slow-histories.ts";
import { day, factsOf, hour, minute, noon, sampleAt, samplesOf, type HealthSample } from "./facts.ts";

const lateTicks = (facts: HealthFacts) => findingsOf(facts).find(({ code }) => code === "tick_over_budget");

describe("[OUR-HLT-75] the beginning of a finding that judges medians", () => {
  const begun = noon - 80 * minute;
  const [quiet, late] = [
    { mspt: 12, cpu_system: 20 },
    { mspt: 60, cpu_system: 95, cpu_usage: 90 },
  ];
  /** Late ticks on a busy machine since `begun`, but for some minutes that began an hour ago. */
  const interrupted = (minutes: number): HealthSample[] =>
    samplesOf((at) =>
      at < begun || (at >= noon - hour && at < noon - hour + minutes * minute) ? quiet : late,
    );

  it("is the start of five minutes, whenever it is asked for", () => {
    const sinces = Array.from({ length: 60 }, (_, index) => noon - index * 5000).map(
      (to) => lateTicks(factsOf({ samples: interrupted(0), to, samplesFrom: to - 3 * hour }))?.since,
    );
    expect(new Set(sinces)).toEqual(new Set([begun]));
  });

  it.each([
    [5, begun],
    [10, begun],
    [15, noon - 45 * minute],
  ])("with %i quiet minutes in between", (minutes, since) => {
    const found = findingsOf(factsOf({ samples: interrupted(minutes) }));
    for (const code of ["tick_over_budget", "machine_saturated"])
      expect(found.find((finding) => finding.code === code)?.since ?? code).toBe(since);
  });

  it("of a full heap follows the last stretch below, and of pauses the last hour", () => {
    const below = noon - 3.5 * hour;
    const heap = Array.from({ length: 600 }, (_, index) => noon - 5 * hour + index * 30_000).map((at) =>
      sampleAt(at, {
        ram_max_mb: 1000,
        heap_after_gc_mb: at >= below && at < below + 5 * minute ? 700 : 950,
      }),
    );
    const full = findingsOf(factsOf({ samples: heap })).find(({ code }) => code === "heap_near_full");
    expect(full?.since).toBe(below + 5 * minute);
    const paused = samplesOf((at) => ({ gc_stw_ms: at < noon - 130 * minute ? 0 : 9000 }));
    const heavy = [noon - 20 * minute, noon - 10 * minute, noon - 1000].map((to) =>
      findingsOf(factsOf({ samples: paused, to })).find(({ code }) => code === "gc_heavy"),
    );
    expect(heavy.map((finding) => finding?.since)).toEqual([
      noon - 2 * hour,
      noon - 2 * hour,
      noon - 2 * hour,
    ]);
  });

  it("is not before the first sample there is", () => {
    const first = noon - 42 * minute;
    const samples = samplesOf(() => ({ mspt: 60 })).filter(({ at }) => at >= first);
    expect(lateTicks(factsOf({ samples, firstSampleAt: first }))?.since).toBe(first);
  });
});

const factor = 2;
const serversOfKind = 20;
const foundWithinMs = 2 * hour;
const sinceWithinMs = 10 * minute;

/** A server whose ticks take twice as long from an instant on, which is 5 to 40 % over their 50 ms then. */
function lateHistory(seed: number, dayToDay: number) {
  const random = dice(7_000_000 + seed);
  const normal = normals(random);
  const at = plantedAt(random);
  const buckets = slowHistory(seed, dayToDay);
  const after = buckets.filter((bucket) => bucket.at >= at && bucket.at < at + 2 * hour);
  const scale = (50 * (1.05 + 0.35 * random())) / median(after.map(({ value }) => factor * value));
  const near = buckets.filter((bucket) => bucket.at > at - tracedMs && bucket.at < at + day);
  const times = Float64Array.from(
    near.flatMap((bucket) => Array.from({ length: 10 }, (_, index) => bucket.at + index * 30_000 + 15_000)),
  );
  const ticks = times.map(
    (time, index) =>
      (near[Math.floor(index / 10)]?.value ?? 0) *
      scale *
      Math.exp(0.12 * normal()) *
      (time >= at ? factor : 1),
  );
  const nothing = times.map(() => Number.NaN);
  const samples = new HealthSamples(
    times,
    healthFields.map((field) => (field === "mspt" ? ticks : nothing)),
  );
  const sinceAt = (to: Instant, readMs: number): Instant | null =>
    tickOverBudget(
      factsOf({
        to,
        bootAt: at - 2 * day,
        samplesFrom: to - readMs,
        samples: samples.between(to - readMs, to),
      }),
    )?.since ?? null;
  return { at, sinceAt };
}

it("[OUR-HLT-76] ticks that become late are said to be late since then", () => {
  const found = serverKinds.flatMap(({ dayToDay }, kind) =>
    Array.from({ length: serversOfKind }, (_, index) => {
      const history = lateHistory(8001 + kind * serversOfKind + index, dayToDay);
      const first = Math.ceil(history.at / bucketMs) * bucketMs + minute;
      const turns = Array.from({ length: foundWithinMs / bucketMs }, (__, turn) => first + turn * bucketMs);
      return { history, end: turns.find((to) => history.sinceAt(to, watchedMs) !== null) };
    }),
  );
  // After some hours the load is another one, and servers near the limit are not late all the time.
  const moments = [
    { moment: "when found", after: 0, least: 0.85 },
    { moment: "an hour later", after: hour, least: 0.85 },
    { moment: "three hours later", after: 3 * hour, least: 0.75 },
  ];
  for (const { moment, after, least } of moments) {
    const off = found.flatMap(({ history: { at, sinceAt }, end }) => {
      const since = end === undefined ? null : sinceAt(end + after, tracedMs);
      return since === null ? [] : [Math.abs(since - at)];
    });
    const right = off.filter((ms) => ms <= sinceWithinMs).length;
    console.log(`late ticks, ${moment}: since right in ${right} of ${off.length} that hold then`);
    expect(off.length).toBeGreaterThanOrEqual(40);
    expect(right / off.length, moment).toBeGreaterThanOrEqual(least);
  }
});
