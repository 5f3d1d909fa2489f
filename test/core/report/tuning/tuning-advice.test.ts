import { describe, expect, it } from "vitest";
import { ReportPayload } from "../../../../src/core/report/payload.ts";
import {
  Recommendation,
  TuningCode,
  type TuningArea,
} from "../../../../src/core/report/tuning/recommendation.ts";
import { adviseTuning, TuningAdvice } from "../../../../src/core/report/tuning/tuning-advice.ts";
import {
  acceptedPayload,
  referencePayload,
  referenceStressPayload,
  type Json,
  type TestChanges,
} from "../../../support/payload.ts";
import { both } from "./change.ts";
import { scenarios } from "./scenarios.ts";

const report = { id: "full", shortId: "short", content: { algorithm_version: "1" } };
const advice = (run: Json = {}, tests: TestChanges = {}) => adviseTuning(report, acceptedPayload(run, tests));
const status = ({ areas }: TuningAdvice, area: TuningArea) => {
  const found = areas.find((candidate) => candidate.area === area);
  return found && `${found.status} ${found.reason ?? "-"}`;
};
const codes = ({ recommendations }: TuningAdvice): string[] => recommendations.map(({ code }) => code);

const everySetting = {
  view_distance: 7,
  simulation_distance: 6,
  sync_chunk_writes: false,
  max_auto_save_chunks_per_tick: 8,
  prevent_moving_into_unloaded_chunks: true,
  activation_range_monsters: 24,
  spawn_limit_monsters: 20,
  max_entity_collisions: 2,
  tick_inactive_villagers: false,
  merge_radius_item: 3.5,
  redstone_implementation: "ALTERNATE_CURRENT",
  hopper_ignore_occluding_blocks: true,
  hopper_check_ticks: 8,
};

describe("the answer", () => {
  it("[OUR-TUN-12] names the report, both versions and the seven areas; the reference host needs nothing", () => {
    const answer = advice({ config: everySetting });
    expect(answer).toMatchObject({
      report_id: "full",
      short_id: "short",
      algorithm_version: "1",
      tuning_version: "3",
    });
    expect(Object.keys(answer)).toEqual(Object.keys(TuningAdvice.shape));
    expect(answer.areas.map(({ area }) => area)).toEqual([
      "cpu",
      "memory",
      "jvm",
      "disk",
      "chunks",
      "entities",
      "mechanics",
    ]);
    for (const { area } of answer.areas) expect(status(answer, area)).toBe("nothing_to_change -");
    expect(answer.recommendations).toEqual([]);
  });

  it("[TUN-02] [OUR-TUN-12] a recommendation has every field, in order", () => {
    const [first] = advice({ host: { steal_percent_avg: 12 } }).recommendations;
    expect(Object.keys(first ?? {})).toEqual(Object.keys(Recommendation.shape));
    expect(first).toEqual({
      code: "cpu_report_steal",
      area: "cpu",
      setting: { kind: "host", file: null, key: "virtual_cpu" },
      current: null,
      suggested: "dedicated_vcpu_or_other_host",
      unit: null,
      trigger: {
        metric: "steal_percent_avg",
        value: 12,
        unit: "percent",
        comparator: "at_least",
        threshold: 10,
      },
      retest: { test_id: "cpu_single_core", metric: "single_core" },
      impact: "high",
      risk: "none",
      side_effect: null,
      source: "https://scoutapm.com/blog/understanding-cpu-steal-time-when-should-you-be-worried",
    });
  });

  it.each(TuningCode.options)("[OUR-TUN-04] %s reaches the answer, in its area", (code) => {
    const { run, tests } = scenarios[code].fires;
    const answer = advice(run, tests);
    const found = answer.recommendations.find((recommendation) => recommendation.code === code);
    expect(found).toMatchObject(scenarios[code].says);
    expect(found && status(answer, found.area)).toBe("recommended -");
  });
});

it("[OUR-TUN-18] scores are told rounded, and never across their threshold", () => {
  const fires = both(scenarios.entities_collisions.fires, {
    tests: { entities_ai: { metrics: { entity_ticks_per_ms: 35.99 } } },
  });
  const [first] = advice(fires.run, fires.tests).recommendations;
  expect(first?.trigger.value).toBeCloseTo(599.833, 3);
  const { run, tests } = scenarios.entities_collisions.fires;
  expect(advice(run, tests).recommendations[0]?.trigger.value).toBe(598);
});

describe("areas", () => {
  it("[OUR-TUN-12] an upload of which nothing was measured is not measured anywhere", () => {
    const { schema, local_id, plugin_version, started_at, finished_at } = referencePayload();
    const bare = { schema, local_id, plugin_version, started_at, finished_at, benchmark_mode: "standard" };
    const payload = ReportPayload.parse({ ...bare, server: {}, hardware: {}, tests: [] });
    const answer = adviseTuning(report, payload);
    for (const { area } of answer.areas) expect(status(answer, area)).toBe("not_measured test_absent");
  });

  const unmeasured: [TuningArea, Json, TestChanges][] = [
    ["cpu", {}, { cpu_single_core: null }],
    ["memory", { heap: { after_gc_max_mb: null } }, {}],
    ["jvm", { gc: { pause_max_ms: null } }, {}],
    ["disk", {}, { disk_random_4k: null }],
    ["disk", {}, { disk_random_4k: { metrics: { direct_io: false } } }],
    ["disk", {}, { disk_random_4k: { outcome: "skipped", success: false } }],
    ["chunks", {}, { exploration_chunk_generation: null }],
    ["entities", {}, { entities_ai: null, entities_items: null }],
    ["mechanics", {}, { mechanics_redstone: null, mechanics_hopper: null }],
  ];
  it.each(unmeasured)(
    "[TUN-03] [OUR-TUN-13] %s without its measurement %o %o is not measured",
    (area, run, tests) => {
      expect(status(advice(run, tests), area)).toBe("not_measured test_absent");
    },
  );

  const failed = { outcome: "failure", success: false };
  it.each([
    ["cpu", { cpu_single_core: failed }],
    ["disk", { disk_random_4k: failed }],
    ["chunks", { exploration_chunk_generation: failed }],
    ["entities", { entities_ai: failed, entities_items: null }],
    ["mechanics", { mechanics_redstone: null, mechanics_hopper: failed }],
  ] as const)("[OUR-TUN-13] %s whose test failed says so", (area, tests) => {
    expect(status(advice({}, tests), area)).toBe("not_measured test_failed");
  });

  it("[OUR-TUN-13] one of two tests is enough for an area", () => {
    expect(status(advice({ config: everySetting }, { entities_ai: null }), "entities")).toBe(
      "nothing_to_change -",
    );
    expect(status(advice({ config: everySetting }, { mechanics_redstone: failed }), "mechanics")).toBe(
      "nothing_to_change -",
    );
  });

  it("[OUR-TUN-13] a recommendation stands, whatever else was not measured", () => {
    const answer = advice({ gc: { pause_max_ms: null, explicit_gc_count: 3 } });
    expect(status(answer, "jvm")).toBe("recommended -");
  });

  it("[OUR-TUN-14] an area of which no setting is known is not measured, one that the software has no setting for is fine", () => {
    const weak = {
      entities_ai: { metrics: { entity_ticks_per_ms: 20 } },
      entities_items: { metrics: { entity_ticks_per_ms: 20 } },
    };
    for (const tests of [weak, {}])
      expect(status(advice({ config: null }, tests), "entities")).toBe("not_measured settings_unknown");
    expect(status(advice({ config: { merge_radius_item: 3.5 } }, weak), "entities")).toBe(
      "nothing_to_change -",
    );
    expect(status(advice({ config: null, server: { type: "vanilla" } }, weak), "entities")).toBe(
      "nothing_to_change -",
    );
  });

  describe("a ramp that passed no load", () => {
    const none = { stress_result: { last_passing_load: 0, breaking_load: 10 }, stress_progression: [] };
    const onRamps = (config: Json, tests: TestChanges) =>
      adviseTuning(report, ReportPayload.parse(referenceStressPayload({ config }, tests)));
    const untuned = { activation_range_monsters: 32, view_distance: 10, redstone_implementation: "VANILLA" };

    it("[OUR-TUN-19] scores 0, and that speaks for a change like any low score", () => {
      const answer = onRamps(untuned, {
        exploration_chunk_generation: none,
        entities_ai: none,
        mechanics_redstone: none,
      });
      expect(codes(answer)).toEqual([
        "mechanics_redstone_impl",
        "entities_activation_range",
        "chunks_view_distance",
      ]);
      for (const { trigger } of answer.recommendations)
        expect(trigger).toMatchObject({ value: 0, unit: "score", comparator: "below", threshold: 600 });
      for (const area of ["chunks", "entities", "mechanics"] as const)
        expect(status(answer, area)).toBe("recommended -");
    });

    it("[OUR-TUN-19] is a measurement where everything is set as well as it can be", () => {
      const all = { entities_ai: none, entities_items: none, exploration_chunk_generation: none };
      for (const area of ["chunks", "entities"] as const)
        expect(status(onRamps(everySetting, all), area)).toBe("nothing_to_change -");
    });

    it.each([
      ["test_failed", { ...none, outcome: "failure", success: false }],
      ["test_absent", { ...none, outcome: "skipped", success: false }],
      ["test_absent", { stress_result: { last_passing_load: null } }],
      ["test_absent", { stress_result: null }],
      ["test_absent", null],
    ])("[OUR-TUN-13] [OUR-TUN-19] %s: unlike one without a good end or a load %#", (reason, test) => {
      const answer = onRamps(untuned, { exploration_chunk_generation: test });
      expect(status(answer, "chunks")).toBe(`not_measured ${reason}`);
    });
  });

  it("[OUR-TUN-15] R7: a custom run gives no advice in any area", () => {
    const answer = advice({ benchmark_mode: "custom", host: { steal_percent_avg: 50 } });
    expect(answer.recommendations).toEqual([]);
    for (const { area } of answer.areas) expect(status(answer, area)).toBe("not_measured custom_mode");
  });

  it("[OUR-TUN-15] R8: ticks of a stresslimit run are no reason for anything", () => {
    const slow = {
      config: { ...everySetting, simulation_distance: 10, max_auto_save_chunks_per_tick: 24 },
      ticks: { mspt: { avg: 60, p50: 60, p95: 80, p99: 90, max: 95 }, tps: { avg: 15, min: 5 } },
    };
    const tests = { disk_random_4k: { metrics: { write_p99_ms: 20 } } };
    expect(codes(advice(slow, tests))).toEqual(["chunks_simulation_distance", "disk_autosave_spread"]);
    const stress = ReportPayload.parse(referenceStressPayload(slow, tests));
    expect(codes(adviseTuning(report, stress))).toEqual([]);
  });
});

describe("server software", () => {
  const weak = {
    entities_ai: { metrics: { entity_ticks_per_ms: 20 } },
    entities_items: { metrics: { entity_ticks_per_ms: 20 } },
    mechanics_redstone: { metrics: { updates_per_ms: 100 } },
    mechanics_hopper: { metrics: { transfers_per_ms: 50 } },
    disk_random_4k: { metrics: { write_p99_ms: 20 } },
  };
  const untuned = {
    sync_chunk_writes: true,
    activation_range_monsters: 32,
    spawn_limit_monsters: 70,
    max_entity_collisions: 8,
    tick_inactive_villagers: true,
    merge_radius_item: 0.5,
    redstone_implementation: "VANILLA",
    hopper_ignore_occluding_blocks: false,
    hopper_check_ticks: 1,
  };
  const mspt = { avg: 45, p50: 40, p95: 45, p99: 48, max: 49 };
  const on = (type: string | null, is_hybrid = false) =>
    codes(advice({ config: untuned, server: { type, is_hybrid }, ticks: { mspt } }, weak));
  const bukkit = ["entities_spawn_limit"];
  const spigot = [
    ...bukkit,
    "entities_activation_range",
    "entities_inactive_villagers",
    "entities_item_merge",
    "mechanics_hopper_check",
  ];
  const paper = [...spigot, "entities_collisions", "mechanics_redstone_impl", "mechanics_hopper_occluding"];
  const sync = "disk_sync_chunk_writes";

  it.each([
    ["paper", paper],
    ["purpur", paper],
    ["folia", paper],
    ["spigot", [sync, ...spigot]],
    ["craftbukkit", [sync, ...bukkit]],
    ["vanilla", [sync]],
    ["fabric", [sync]],
    ["neoforge", [sync]],
    ["mohist", paper],
    [null, paper],
  ])("[OUR-TUN-16] %s is told of settings it reads, and of none without effect", (type, expected) => {
    expect(on(type).toSorted()).toEqual(expected.toSorted());
  });

  it("[OUR-TUN-16] a hybrid is told of what it reports", () => {
    expect(on("forge", true).toSorted()).toEqual(paper.toSorted());
  });
});
