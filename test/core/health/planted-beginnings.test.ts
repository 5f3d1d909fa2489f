import { describe, expect, it } from "vitest";
import { beginsBefore, evaluateHealth, findingsOf } from "../../../src/core/health/evaluate.ts";
import { healthFields, type HealthField } from "../../../src/core/health/health-fields.ts";
import { HealthSamples } from "../../../src/core/health/health-samples.ts";
import type { FindingCode } from "../../../src/core/health/health.ts";
import type { Instant } from "../../../src/core/time.ts";
import { bandFrom, baselineWith } from "./buckets.ts";
import { day, eventOf, factsOf, hour, minute, noon, type ChangedFacts } from "./facts.ts";

/** A condition that holds from `begun` on, for 20 hours. */
interface Plant {
  readonly fields?: Partial<Record<HealthField, number>>;
  /** Only the samples for which this answers true have the fields; all of them if left out. */
  readonly has?: (at: Instant) => boolean;
  /** Minutes from one entry of the timeline to the next. */
  readonly entries?: { readonly type: string; readonly everyMinutes: number };
  readonly changes?: ChangedFacts;
  /** How long it has to hold before the rule finds it, ms; two hours at most if left out. */
  readonly foundAfter?: number;
  /** How far from the truth `since` may be, ms; five minutes if left out. */
  readonly within?: number;
}

const begun = noon - 20 * hour;
const calmFields: Partial<Record<HealthField, number>> = {
  tps: 20,
  mspt: 12,
  mspt_p95: 20,
  worst_tick_ms: 60,
  player_count: 8,
  cpu_usage: 20,
  cpu_system: 30,
  ram_max_mb: 1000,
  heap_after_gc_mb: 300,
  container_limit_mb: 1000,
  rss_mb: 500,
  gc_stw_ms: 0,
  disk_free_mb: 60_000,
  disk_total_mb: 100_000,
};
const usual = baselineWith(bandFrom(5, { median: 1000, p98: 1200 }));

/** Every rule: a plant, or why its beginning does not come from what was measured. */
const plants: Readonly<Record<FindingCode, Plant | string>> = {
  server_down: { changes: { state: "unreachable", stateSince: begun } },
  server_unresponsive: { changes: { state: "unresponsive", stateSince: begun } },
  crash_loop: { entries: { type: "server_crash", everyMinutes: 100 } },
  crashed: { entries: { type: "server_crash", everyMinutes: 100 * 60 } },
  tick_over_budget: { fields: { mspt: 60 } },
  disk_nearly_full: { fields: { disk_free_mb: 4000 } },
  heap_near_full: { fields: { ram_max_mb: 1000, heap_after_gc_mb: 900 }, foundAfter: 3.2 * hour },
  container_near_limit: { fields: { container_limit_mb: 1000, rss_mb: 990 } },
  memory_growing: "it is that of the boot, or of the last fall of the floor: memory-growth.test.ts",
  cpu_throttled: { entries: { type: "cpu_throttled", everyMinutes: 60 } },
  machine_saturated: { fields: { cpu_system: 95, cpu_usage: 90 } },
  noisy_machine: { fields: { cpu_system: 95, cpu_usage: 10 } },
  gc_heavy: { fields: { gc_stw_ms: 9000 }, within: hour },
  slower_than_usual: "it is fixed when the finding opens: open-slowness.test.ts",
  tick_spikes: {
    fields: { worst_tick_ms: 900 },
    has: (at) => at % (12 * minute) < 30_000,
    within: 12 * minute,
  },
  plugin_heavy: "a profile shows one moment, and no beginning",
  plugin_grew: "two profiles show two moments, and no beginning",
  more_than_usual: { fields: { entity_count: 3000 }, changes: { countBaselines: { entity_count: usual } } },
  benchmark_regression: { changes: { regressionSince: begun } },
  nobody_told: "it is that of the alert",
  in_app_only: "it is that of the alert",
  data_missing: "it is the last sample: test/endpoints/health/each-rule.test.ts",
  alert_open: "it is that of the alert",
  no_alert_rules: "it has no beginning",
};

const planted = Object.entries(plants).flatMap(([code, plant]) =>
  typeof plant === "string" ? [] : [[code as FindingCode, plant] as const],
);

/** The first and the last moment of which any question reads samples. */
const [oldest, newest] = [begun - day, noon + 31 * hour];

/** Every sample of a plant, made once: each question reads a part of them. */
function allSamplesOf({ fields = {}, has = () => true }: Plant): HealthSamples {
  const times = Float64Array.from(
    { length: (newest - oldest) / 30_000 },
    (_, index) => oldest + index * 30_000 + 15_000,
  );
  const calm: Partial<Record<HealthField, number>> = { ...calmFields, entity_count: 1000 };
  const columns = healthFields.map((field) =>
    times.map((at) => (at >= begun && has(at) ? (fields[field] ?? calm[field]) : calm[field]) ?? Number.NaN),
  );
  return new HealthSamples(times, columns);
}

const made = new Map<Plant, HealthSamples>();

function samplesUntil(plant: Plant, from: Instant, to: Instant): HealthSamples {
  const all = made.get(plant) ?? allSamplesOf(plant);
  made.set(plant, all);
  return all.between(from, to);
}

/** Newest first. */
function entriesUntil({ entries }: Plant, to: Instant) {
  const all = [];
  if (entries)
    for (let at = begun; at <= to; at += entries.everyMinutes * minute) all.push(eventOf(entries.type, at));
  return all.toReversed();
}

/** What the service reads: three hours, and a day where a finding began before them. */
function factsAt(plant: Plant, to: Instant) {
  const read = (samplesFrom: Instant) =>
    factsOf({
      from: to - day,
      to,
      bootAt: noon - 9 * day,
      samplesFrom,
      samples: samplesUntil(plant, samplesFrom, to),
      events: entriesUntil(plant, to).filter(({ happenedAt }) => (happenedAt ?? 0) >= to - 2 * day),
      eventsFrom: to - 2 * day,
      ...plant.changes,
    });
  const short = read(to - 3 * hour);
  return beginsBefore(short, findingsOf(short)) ? read(to - day) : short;
}

const findingAt = (code: FindingCode, plant: Plant, to: Instant) =>
  evaluateHealth(factsAt(plant, to)).findings.find((finding) => finding.code === code);

describe("[OUR-HLT-78] the beginning of a condition that was planted 20 hours ago", () => {
  it.each(planted)("%s", (code, plant) => {
    const hours = Array.from({ length: 20 }, (_, index) => noon - index * hour + 7 * minute);
    const asked = [noon - 13 * minute, noon - 3 * minute, ...hours];
    const sinces = asked.flatMap((to) => {
      const finding = findingAt(code, plant, to);
      if (to - begun < (plant.foundAfter ?? 2 * hour) && !finding) return [];
      expect(finding, `asked ${(to - begun) / hour} hours after it began`).toMatchObject({
        since: expect.any(String) as string,
        since_is_at_least: false,
      });
      return [finding?.since];
    });
    expect(sinces.length).toBeGreaterThan(17);
    expect(new Set(sinces).size).toBe(1);
    const apart = Math.abs(Date.parse(sinces[0] ?? "") - begun);
    expect(apart).toBeLessThanOrEqual(plant.within ?? 5 * minute);
  });

  it("is not told where the condition held in all of the period", () => {
    for (const [code, plant] of planted) {
      if (!plant.fields && !plant.entries?.everyMinutes) continue;
      const later = noon + 30 * hour;
      const finding = findingAt(code, plant, later);
      const isOne = plant.entries?.type === "server_crash" && code === "crashed";
      if (!isOne) expect([code, finding?.since, finding?.since_is_at_least]).toEqual([code, null, true]);
    }
  });

  it.each([
    ["cpu_throttled", "throttling_events", 21],
    ["tick_spikes", "samples_with_a_spike", 100],
    ["crash_loop", "unclean_ends", 13],
  ] as const)("%s counts its episode", (code, key, count) => {
    const plant = plants[code] as Plant;
    const { evidence = [] } = findingAt(code, plant, noon) ?? {};
    const figures = new Map(evidence.map((figure) => [figure.key, figure.value]));
    expect(figures.get(key)).toBe(count);
    expect(figures.get("over_hours")).toBeCloseTo(20, 0);
  });

  it("does not vanish between two entries that are an hour apart", () => {
    const plant = plants.cpu_throttled as Plant;
    for (let to = begun + minute; to < noon; to += 7 * minute)
      expect(findingAt("cpu_throttled", plant, to)?.code).toBe("cpu_throttled");
  });
});
