import { describe, expect, it } from "vitest";
import { dayMs, hourMs, minuteMs, secondMs } from "../../support/clock.ts";
import type { Json } from "../../support/payload.ts";
import { dropEventRule, eventRulesOf } from "../../../src/store/alert/event-rules.ts";
import { run } from "../../../src/store/engine/database.ts";
import { event, sceneOfServer } from "../../support/scene.ts";
import { diagnosedServer, figuresOf, hostile, listOf } from "./diagnosed-server.ts";

const scene = sceneOfServer({ name: hostile, port: 25_565 }, { timers: false });
const { send, beat, play, diagnose, findingOf } = diagnosedServer(scene);

const calm = { tps: 20, mspt: 12, player_count: 8 };
const half = 30 * secondMs;

/** The code, severity and figures of a finding, as the tables below write them; null where it is not found. */
async function found(code: string): Promise<unknown> {
  const finding = await findingOf(code);
  return finding && [finding["severity"], ...figuresOf(finding)];
}

describe("[OUR-HLT-24] the state of a server", () => {
  it("is down when its last heartbeat is more than 90 seconds old", async () => {
    await play(10 * minuteMs, half, () => calm);
    scene.clock.advance(90 * secondMs);
    expect(await found("server_down")).toBeNull();
    scene.clock.advance(1);
    expect(await found("server_down")).toEqual(["critical"]);
    expect(await diagnose()).toMatchObject({ verdict: "down", headline: { code: "server_down" } });
  });

  it("is unresponsive when its last tick is 10 seconds old", async () => {
    await play(10 * minuteMs, half, () => calm);
    await beat(2 * hourMs, { last_tick_age_ms: 9999 });
    expect(await found("server_unresponsive")).toBeNull();
    await beat(2 * hourMs, { last_tick_age_ms: 10_000 });
    expect(await found("server_unresponsive")).toEqual(["critical"]);
  });
});

const crash = (id: string, agoMs: number, more: Json = {}): Json =>
  event(id, {
    type: "server_crash",
    category: "lifecycle",
    source: hostile,
    title: hostile,
    description: hostile,
    timestamp: scene.at(-agoMs),
    ...more,
  });

it("[OUR-HLT-25] one unclean end within 24 hours is a crash, the second makes a loop", async () => {
  await play(30 * hourMs, minuteMs, () => calm);
  await send("/events", { events: [crash("1", dayMs)] });
  expect([await found("crashed"), await found("crash_loop")]).toEqual([null, null]);
  await send("/events", { events: [crash("2", dayMs - 1)] });
  const episode = (count: number) => ["unclean_ends_of_the_episode", count, "count", null];
  expect(await found("crashed")).toEqual(["warning", ["unclean_ends", 1, "count", 1], episode(2)]);
  await send("/events", { events: [crash("3", hourMs)] });
  const hours = ["over_hours", 23, "hours", null];
  expect(await found("crash_loop")).toEqual(["critical", ["unclean_ends", 2, "count", 2], episode(3), hours]);
  expect(await found("crashed")).toBeNull();
});

type Expected = readonly unknown[] | null;

const heap = (mb: number): Json => ({ ram_max_mb: 10_000, heap_after_gc_mb: mb });
const container = (mb: number): Json => ({ container_limit_mb: 10_000, rss_mb: mb });

const disk = (mb: number): Json => ({ disk_total_mb: 100_000, disk_free_mb: mb, largest_world_mb: 7000 });

/** What every sample of an hour has, and what is found of it: at the threshold, and just below. */
const steady: readonly (readonly [code: string, values: Json, expected: Expected])[] = [
  ["tick_over_budget", { mspt: 49.9 }, null],
  ["tick_over_budget", { mspt: 50 }, ["critical", ["mspt_median", 50, "ms", 50]]],
  ["tick_over_budget", { mspt: 39.9, mspt_p95: 90 }, null],
  ["tick_over_budget", { mspt: 40, mspt_p95: 49.9 }, null],
  [
    "tick_over_budget",
    { mspt: 40, mspt_p95: 50 },
    ["warning", ["mspt_median", 40, "ms", 40], ["mspt_p95_median", 50, "ms", 50]],
  ],
  ["tick_over_budget", { mspt: null, tps: 18 }, null],
  ["tick_over_budget", { mspt: null, tps: 17.9 }, ["critical", ["tps_median", 17.9, "tps", 18]]],
  ["heap_near_full", heap(7999), null],
  [
    "heap_near_full",
    heap(8000),
    [
      "warning",
      ["heap_after_gc_share", 80, "percent", 80],
      ["heap_after_gc_mb", 8000, "mb", null],
      ["ram_max_mb", 10_000, "mb", null],
    ],
  ],
  [
    "heap_near_full",
    heap(9000),
    [
      "critical",
      ["heap_after_gc_share", 90, "percent", 90],
      ["heap_after_gc_mb", 9000, "mb", null],
      ["ram_max_mb", 10_000, "mb", null],
    ],
  ],
  ["container_near_limit", container(9499), null],
  [
    "container_near_limit",
    container(9500),
    [
      "warning",
      ["container_share", 95, "percent", 95],
      ["rss_mb", 9500, "mb", null],
      ["container_limit_mb", 10_000, "mb", null],
    ],
  ],
  ["disk_nearly_full", disk(10_000), null],
  [
    "disk_nearly_full",
    disk(9_000),
    [
      "warning",
      ["disk_free_share", 9, "percent", 10],
      ["disk_free_mb", 9000, "mb", null],
      ["disk_total_mb", 100_000, "mb", null],
      ["largest_world_mb", 7000, "mb", null],
    ],
  ],
  [
    "disk_nearly_full",
    disk(2900),
    [
      "critical",
      ["disk_free_share", 2.9, "percent", 3],
      ["disk_free_mb", 2900, "mb", 1024],
      ["disk_total_mb", 100_000, "mb", null],
      ["largest_world_mb", 7000, "mb", null],
    ],
  ],
  ["machine_saturated", { cpu_system: 89.9, cpu_usage: 80 }, null],
  [
    "machine_saturated",
    { cpu_system: 90, cpu_usage: 50.1 },
    ["info", ["cpu_system_median", 90, "percent", 90], ["used_by_others", 39.9, "percent", null]],
  ],
  ["noisy_machine", { cpu_system: 90, cpu_usage: 50.1 }, null],
  ["noisy_machine", { cpu_system: 89.9, cpu_usage: 10 }, null],
  [
    "noisy_machine",
    { cpu_system: 90, cpu_usage: 50 },
    ["info", ["cpu_system_median", 90, "percent", 90], ["used_by_others", 40, "percent", 40]],
  ],
  [
    "noisy_machine",
    { cpu_system: 90, cpu_usage: 50, mspt: 60 },
    ["warning", ["cpu_system_median", 90, "percent", 90], ["used_by_others", 40, "percent", 40]],
  ],
  ["gc_heavy", { gc_stw_ms: 599 }, null],
  ["gc_heavy", { gc_stw_ms: 600 }, ["info", ["gc_pause_share", 2, "percent", 2]]],
  ["gc_heavy", { gc_stw_ms: 2999 }, ["info", ["gc_pause_share", 10, "percent", 2]]],
  ["gc_heavy", { gc_stw_ms: 3000 }, ["warning", ["gc_pause_share", 10, "percent", 10]]],
  ["gc_heavy", { gc_stw_ms: 7499 }, ["warning", ["gc_pause_share", 25, "percent", 10]]],
  ["gc_heavy", { gc_stw_ms: 7500 }, ["critical", ["gc_pause_share", 25, "percent", 25]]],
];

it.each(steady)("[OUR-HLT-22] %s of samples with %j", async (code, values, expected) => {
  await play(hourMs, half, () => ({ ...calm, ...values }));
  const before = scene.clock.now();
  expect(await found(code)).toEqual(expected);
  for (const { measured_at } of listOf(await findingOf(code), "evidence")) {
    const apart = before - Date.parse(String(measured_at));
    expect([apart >= 0, apart <= half]).toEqual([true, true]);
  }
});

it("[OUR-HLT-28] a container near its limit is critical after a kill for want of memory in the period", async () => {
  await play(hourMs, half, () => ({ ...calm, ...container(9600) }));
  await send("/events", { events: [crash("1", 2 * hourMs, { metadata: { reason: hostile } })] });
  expect(await findingOf("container_near_limit")).toMatchObject({ severity: "warning" });
  await send("/events", { events: [crash("2", dayMs - 1, { metadata: { out_of_memory: true } })] });
  expect(await findingOf("container_near_limit")).toMatchObject({ severity: "critical" });
});

it("[OUR-HLT-35] throttling is found for two hours after its event", async () => {
  await play(2 * hourMs, half, () => calm);
  const throttled = { type: "cpu_throttled", category: "custom", source: hostile, title: hostile };
  await send("/events", { events: [event("1", { ...throttled, timestamp: scene.at(-2 * hourMs) })] });
  expect(await found("cpu_throttled")).toBeNull();
  await send("/events", { events: [event("2", { ...throttled, timestamp: scene.at(-2 * hourMs + 1) })] });
  expect(await found("cpu_throttled")).toEqual(["warning", ["throttling_events", 2, "count", 1]]);
});

const spikes =
  (count: number, ms: number, values: Json = calm) =>
  (agoMs: number): Json => ({ ...values, worst_tick_ms: agoMs > 0 && agoMs <= count * half ? ms : 60 });

it.each([
  ["info", 3, 500, 500, {}, true],
  ["info", 2, 5000, 500, {}, false],
  ["info", 9, 499, 500, {}, false],
  ["info", 3, 1999, 500, {}, true],
  ["warning", 3, 2000, 2000, {}, true],
  ["warning", 3, 500, 500, { mspt: 50 }, true],
] as const)(
  "[OUR-HLT-31] %s: %d samples with a tick of %d ms",
  async (severity, count, ms, limit, values, isFound) => {
    await play(hourMs, half, spikes(count, ms, { ...calm, ...values }));
    const figures = [
      ["samples_with_a_spike", count, "count", 3],
      ["worst_tick_ms", ms, "ms", limit],
    ];
    expect(await found("tick_spikes")).toEqual(isFound ? [severity, ...figures] : null);
  },
);

describe("[OUR-HLT-33] data that is missing", () => {
  it("is found when an online server has sent no sample for three minutes", async () => {
    await play(hourMs, half, () => calm);
    scene.clock.advance(3 * minuteMs - 1);
    await beat(3 * hourMs, {});
    expect(await found("data_missing")).toBeNull();
    scene.clock.advance(1);
    await beat(3 * hourMs, {});
    expect(await found("data_missing")).toEqual(["warning", ["minutes_without_a_sample", 3, "minutes", 3]]);
  });

  it("is found when the last ten samples lack a field of last week", async () => {
    const lacks = (samples: number) => (agoMs: number) => ({
      ...calm,
      ...(agoMs > (samples - 1) * half && { cpu_system: 20 }),
    });
    // The newest sample is of this moment, which the period does not hold.
    await play(25 * hourMs, half, lacks(10));
    expect(await found("data_missing")).toBeNull();
    scene.clock.advance(half);
    await beat(26 * hourMs, { sample: { sampled_at: scene.at(), ...calm } });
    expect(await found("data_missing")).toEqual(["warning", ["fields_no_longer_measured", 1, "count", 1]]);
  });
});

it("[OUR-HLT-34] no alert rule is worth knowing when the server has been monitored for a day", async () => {
  // Linking made one.
  const { db } = scene.service.app;
  for (const { id } of await db.read(eventRulesOf, scene.server.id))
    await db.write(run, dropEventRule, { id });
  await play(dayMs - 1, half, () => calm);
  expect(await found("no_alert_rules")).toBeNull();
  scene.clock.advance(1);
  await beat(2 * dayMs, {});
  expect(await found("no_alert_rules")).toEqual(["info", ["enabled_rules", 0, "count", 1]]);
});

it("[OUR-HLT-38] a stop before the period is one, however much other plugins wrote since", async () => {
  await play(hourMs, half, () => calm);
  const stop = { type: "server_stop", category: "lifecycle", title: hostile, timestamp: scene.at(secondMs) };
  scene.clock.advance(2 * secondMs);
  await send("/events", { events: [event("stop", stop)] });
  scene.clock.advance(2 * dayMs);
  for (let call = 0; call < 6; call += 1) {
    const noise = (index: number): Json =>
      event(`${call}-${index}`, { type: hostile.trim(), category: "custom", title: hostile });
    await send("/events", { events: Array.from({ length: 100 }, (_, index) => noise(index)) });
  }
  expect((await diagnose())["availability"]).toMatchObject({ percent: null, stopped_seconds: 86_400 });
});
