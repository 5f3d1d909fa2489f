import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReportPayload } from "../../../src/core/report/payload.ts";
import { scoreReport } from "../../../src/core/report/scoring.ts";
import { acceptedPayload, referencePayload, referenceStressPayload } from "../../support/payload.ts";
import type { Json, TestChanges } from "../../support/payload.ts";

const score = (overrides: Json = {}, tests: TestChanges = {}) =>
  scoreReport(acceptedPayload(overrides, tests));
const stress = (tests: TestChanges = {}) =>
  scoreReport(ReportPayload.parse(referenceStressPayload({}, tests)));

const calmGc = { gc: { pause_total_ms: 3000 } };

describe("golden vectors", () => {
  it("[OUR-SCO-01] [OUR-SCO-16] R1: the reference host scores 1000 in every part", () => {
    expect(score()).toEqual({
      scores: { total: 1091, single_core: 1000, hardware: 1000, gameplay: 1000 },
      sub_scores: {
        memory: 1000,
        disk: 1000,
        multi_core: 1000,
        exploration: 1000,
        entities: 1000,
        mechanics: 1000,
      },
      multipliers: { synergy_bonus: 1.05, duration: 1, gc: 0.99, stability_bonus: 1.05 },
      rank_badge: "gold",
      algorithm_version: "1",
      assumptions: { memoryLatency: false, random4k: false },
    });
  });

  it("[OUR-SCO-05] R2: refused direct IO is scored as 500 IOPS and 20 ms, and said so", () => {
    const result = score(calmGc, { disk_random_4k: { metrics: { direct_io: false } } });
    expect(result.scores).toMatchObject({ total: 831, hardware: 627, gameplay: 1000 });
    expect(result.sub_scores.disk).toBe(97);
    expect(result.assumptions).toEqual({ memoryLatency: false, random4k: true });
  });

  it("[OUR-SCO-04] R3: absent memory latency is scored as 200 ns, and said so", () => {
    const result = score(calmGc, { memory_latency: null });
    expect(result.scores).toMatchObject({ total: 1036, hardware: 928, gameplay: 1000 });
    expect(result.sub_scores.memory).toBe(689);
    expect(result.assumptions).toEqual({ memoryLatency: true, random4k: false });
  });

  it("[OUR-SCO-02] [OUR-SCO-11] R4: an absent test makes its family, its half and the total 0", () => {
    const result = score(calmGc, { entities_ai: null });
    expect(result.scores).toMatchObject({ total: 0, hardware: 1000, gameplay: 0 });
    expect(result.sub_scores.entities).toBe(0);
    expect(result.rank_badge).toBeNull();
    expect(result.algorithm_version).toBe("1");
  });

  it("[OUR-SCO-09] [OUR-SCO-10] R5: late ticks cost the bonus and GC costs up to a tenth", () => {
    const result = score({
      ticks: { count: 6000, duration_seconds: 300, over_50ms: 600 },
      gc: { pause_total_ms: 12_000 },
    });
    expect(result.scores).toMatchObject({ total: 987, hardware: 1000, gameplay: 1000 });
    expect(result.multipliers).toEqual({ synergy_bonus: 1.05, duration: 1, gc: 0.94, stability_bonus: 1 });
  });

  it("[OUR-SCO-02] R6: a weak host", () => {
    const result = score(
      { ticks: { count: 9000, over_50ms: 900 }, ...calmGc },
      {
        cpu_single_core: { metrics: { ops_per_second: 600_000 } },
        cpu_multi_core: { metrics: { ops_per_second: 1_200_000 } },
        exploration_chunk_generation: { metrics: { chunks_per_second: 14 } },
        entities_ai: { metrics: { entity_ticks_per_ms: 30 } },
      },
    );
    expect(result.scores).toEqual({ total: 583, single_core: 600, hardware: 591, gameplay: 576 });
    expect(result.sub_scores).toMatchObject({ multi_core: 200, exploration: 350, entities: 630 });
    expect(result.multipliers).toEqual({ synergy_bonus: 1, duration: 1, gc: 1, stability_bonus: 1 });
    expect(result.rank_badge).toBe("stone");
  });

  it("[REP-09] [REP-14] [OUR-SCO-13] R7: a custom run has no score, sub score, multiplier, badge or version", () => {
    const result = score({ benchmark_mode: "custom" });
    const numbers = [result.scores, result.sub_scores, result.multipliers].flatMap((part) =>
      Object.values(part),
    );
    expect(numbers).toEqual(Array(14).fill(null));
    expect(result).toMatchObject({ rank_badge: null, algorithm_version: null });
    expect(result.assumptions).toEqual({ memoryLatency: false, random4k: false });
  });

  it("[OUR-SCO-14] R8: a stresslimit run is scored by the last load it passed, without tick multipliers", () => {
    const result = stress();
    expect(result.scores).toEqual({ total: 1050, single_core: 1000, hardware: 1000, gameplay: 1000 });
    expect(result.multipliers).toEqual({
      synergy_bonus: 1.05,
      duration: null,
      gc: null,
      stability_bonus: null,
    });
  });
});

describe("parts", () => {
  // 1000 times 0.5 to the power of the metric's weight: in its family, and in its half of the score.
  it.each([
    ["cpu_single_core", { ops_per_second: 500_000 }, "hardware", 758, {}],
    ["cpu_multi_core", { ops_per_second: 3_000_000 }, "hardware", 871, { multi_core: 500 }],
    ["memory_bandwidth", { read_gb_s: 11 }, "hardware", 977, { memory: 891 }],
    ["memory_bandwidth", { write_gb_s: 8 }, "hardware", 977, { memory: 891 }],
    ["memory_bandwidth", { copy_gb_s: 7 }, "hardware", 977, { memory: 891 }],
    ["memory_latency", { latency_ns: 190 }, "hardware", 933, { memory: 707 }],
    ["disk_sequential", { read_mb_s: 1500 }, "hardware", 973, { disk: 871 }],
    ["disk_sequential", { write_mb_s: 750 }, "hardware", 973, { disk: 871 }],
    ["disk_random_4k", { read_iops: 7500 }, "hardware", 959, { disk: 812 }],
    ["disk_random_4k", { read_p99_ms: 0.5 }, "hardware", 959, { disk: 812 }],
    ["exploration_chunk_generation", { chunks_per_second: 20 }, "gameplay", 785, { exploration: 500 }],
    ["entities_ai", { entity_ticks_per_ms: 30 }, "gameplay", 831, { entities: 630 }],
    ["entities_items", { entity_ticks_per_ms: 200 }, "gameplay", 912, { entities: 794 }],
    ["mechanics_redstone", { updates_per_ms: 450 }, "gameplay", 917, { mechanics: 707 }],
    ["mechanics_hopper", { transfers_per_ms: 125 }, "gameplay", 917, { mechanics: 707 }],
  ] as const)("[OUR-SCO-02] %s at half speed, %o, makes %s %s", (testId, metrics, half, value, family) => {
    const { scores, sub_scores } = score({}, { [testId]: { metrics } });
    expect(scores[half]).toBe(value);
    expect(sub_scores).toMatchObject(family);
  });

  it.each([
    ["missing", null],
    ["failed", { outcome: "failure", success: false }],
    ["skipped", { outcome: "skipped", success: false }],
    ["without its metric", { metrics: { ops_per_second: null } }],
    ["without metrics", { metrics: null }],
  ])("[OUR-SCO-03] a test that is %s scores 0", (_, change) => {
    const { scores } = score({}, { cpu_single_core: change });
    expect(scores).toEqual({ total: 0, single_core: 0, hardware: 0, gameplay: 1000 });
  });

  it("[OUR-SCO-03] an older plugin's test counts by success alone", () => {
    const old = { plugin_version: "1.7.9" };
    const older = (success: boolean) => score(old, { cpu_single_core: { outcome: null, success } });
    expect(older(true).scores.single_core).toBe(1000);
    expect(older(false).scores.single_core).toBe(0);
  });

  it.each([
    ["the test is absent", null],
    ["it failed", { outcome: "failure", success: false }],
    ["IOPS are absent", { metrics: { read_iops: null } }],
    ["p99 is absent", { metrics: { read_p99_ms: null } }],
    ["direct_io is unknown", { metrics: { direct_io: null } }],
  ])("[OUR-SCO-05] random reads are assumed when %s", (_, change) => {
    const result = score({}, { disk_random_4k: change });
    expect(result.sub_scores.disk).toBe(97);
    expect(result.assumptions.random4k).toBe(true);
  });

  it("[OUR-SCO-06] nothing is assumed beside an absent sequential or bandwidth test", () => {
    const result = score({}, { disk_sequential: null, disk_random_4k: null, memory_bandwidth: null });
    expect(result.sub_scores).toMatchObject({ disk: 0, memory: 0 });
    expect(result.assumptions).toEqual({ memoryLatency: false, random4k: false });
  });

  it("[OUR-SCO-05] a disk slower than the assumption is scored as measured", () => {
    const result = score({}, { disk_random_4k: { metrics: { read_iops: 90, read_p99_ms: 31.6 } } });
    expect(result.sub_scores.disk).toBeLessThan(97);
    expect(result.assumptions.random4k).toBe(false);
  });

  it.each([
    ["no load passed", { stress_result: { last_passing_load: 0 } }],
    ["the result is null", { stress_result: null }],
    ["it failed", { outcome: "failure", success: false }],
  ])("[OUR-SCO-14] a ramp scores 0 when %s", (_, change) => {
    expect(stress({ entities_items: { stress_result: { last_passing_load: 1 }, ...change } })).toMatchObject({
      scores: { gameplay: 0, total: 0 },
      sub_scores: { entities: 0 },
    });
  });

  it("[OUR-SCO-01] scores are clamped to 1 and 100 000", () => {
    const single = (value: number) =>
      score({}, { cpu_single_core: { metrics: { ops_per_second: value } } }).scores.single_core;
    expect(single(1e12)).toBe(100_000);
    expect(single(0.001)).toBe(1);
  });

  it("[OUR-SCO-12] a measured score is never written as 0", () => {
    const slow = Object.fromEntries(
      ["exploration_chunk_generation", "entities_ai", "entities_items"].map((id) => [
        id,
        { metrics: { chunks_per_second: 1e-9, entity_ticks_per_ms: 1e-9 } },
      ]),
    );
    const nothing = {
      ...slow,
      mechanics_redstone: { metrics: { updates_per_ms: 1e-9 } },
      mechanics_hopper: { metrics: { transfers_per_ms: 1e-9 } },
      cpu_single_core: { metrics: { ops_per_second: 1e-9 } },
      cpu_multi_core: { metrics: { ops_per_second: 1e-9 } },
      memory_bandwidth: { metrics: { read_gb_s: 1e-9, write_gb_s: 1e-9, copy_gb_s: 1e-9 } },
      disk_sequential: { metrics: { read_mb_s: 1e-9, write_mb_s: 1e-9 } },
    };
    const result = score({ ticks: { duration_seconds: 1, over_50ms: 12_000 } }, nothing);
    expect(result.scores).toMatchObject({ total: 2, gameplay: 1 });
    expect(Object.values(result.sub_scores)).not.toContain(0);
  });
});

describe("properties", () => {
  const speed = fc.double({ min: 0.01, max: 20, noNaN: true });
  const withSpeeds = (single: number, chunks: number, latencyNs: number): TestChanges => ({
    cpu_single_core: { metrics: { ops_per_second: 1_000_000 * single } },
    exploration_chunk_generation: { metrics: { chunks_per_second: 40 * chunks } },
    memory_latency: { metrics: { latency_ns: Math.max(1, latencyNs) } },
  });

  it("[OUR-SCO-01] twice as fast is twice the score, below the clamp", () => {
    fc.assert(
      fc.property(speed, (factor) => {
        const at = (times: number) =>
          score({}, withSpeeds(factor * times, factor * times, 95)).sub_scores.exploration ?? Number.NaN;
        // Both sides are rounded: half a point each, the first of them doubled.
        expect(Math.abs(at(2) - 2 * at(1))).toBeLessThanOrEqual(1.5);
      }),
    );
  });

  it("[OUR-SCO-12] scores are whole numbers from 1, multipliers finite, whatever was measured", () => {
    fc.assert(
      fc.property(speed, speed, fc.double({ min: 1, max: 100_000, noNaN: true }), (single, chunks, ns) => {
        const { scores, sub_scores, multipliers } = score({}, withSpeeds(single, chunks, ns));
        for (const value of [...Object.values(scores), ...Object.values(sub_scores)]) {
          expect(Number.isInteger(value)).toBe(true);
          expect(value).toBeGreaterThanOrEqual(1);
        }
        for (const factor of Object.values(multipliers)) {
          expect(factor).toBeGreaterThanOrEqual(0.9);
          expect(factor).toBeLessThanOrEqual(1.05);
        }
      }),
    );
  });

  it("[OUR-SCO-03] leaving any tests out never gives NaN, a negative score or a better total", () => {
    const ids = acceptedPayload().tests.map((test) => test.test_id);
    const full = score().scores.total ?? 0;
    fc.assert(
      fc.property(fc.subarray(ids), (absent) => {
        const result = score({}, Object.fromEntries(absent.map((id) => [id, null])));
        for (const value of [...Object.values(result.scores), ...Object.values(result.sub_scores)])
          expect(value).toBeGreaterThanOrEqual(0);
        expect(result.scores.total).toBeLessThanOrEqual(full);
      }),
    );
  });

  it("[OUR-SCO-17] the order of the tests changes nothing", () => {
    const { tests, ...run } = referencePayload();
    const list = Array.isArray(tests) ? tests : [];
    const expected = score();
    fc.assert(
      fc.property(fc.shuffledSubarray(list, { minLength: list.length }), (shuffled) => {
        expect(scoreReport(ReportPayload.parse({ ...run, tests: shuffled }))).toEqual(expected);
      }),
    );
  });
});
