import { describe, expect, it } from "vitest";
import { exampleProfileUpload } from "../../../src/core/profile/example-document.ts";
import { profilePayload } from "../../support/captures.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../../support/clock.ts";
import type { Json } from "../../support/payload.ts";
import { event, sceneOfServer } from "../../support/scene.ts";
import { rowsOf } from "../../support/service.ts";
import { diagnosedServer, hostile, listOf } from "./diagnosed-server.ts";

const scene = sceneOfServer({ name: hostile, port: 25_565 }, { timers: false });
const { send, play, findingOf } = diagnosedServer(scene);

describe("[OUR-HLT-40] [OUR-HLT-42] a heap that grows", () => {
  /** So many MB a day, to 7,500 of 10,240 MB. */
  const heap = (perDay: number) => (agoMs: number) => ({
    mspt: 12,
    player_count: 3,
    ram_max_mb: 10_240,
    heap_after_gc_mb: Math.round(7500 - (agoMs / dayMs) * perDay),
  });

  it("is found with the hour at which it is full", async () => {
    await play(3 * dayMs, 10 * minuteMs, heap(900));
    const finding = await findingOf("memory_growing");
    expect(finding).toMatchObject({
      severity: "warning",
      evidence: [
        { key: "hours_until_heap_near_full", unit: "hours" },
        { key: "heap_growth_mb_per_day", value: 900 },
        { key: "least_heap_growth_mb_per_day" },
        { key: "heap_floor_mb", threshold: 9216 },
        { key: "ram_max_mb", value: 10_240 },
      ],
    });
    // 1,716 MB are left, at 900 MB a day.
    const [hours] = listOf(finding, "evidence").map(({ value }) => Number(value));
    expect(hours).toBeGreaterThan(42);
    expect(hours).toBeLessThanOrEqual(53);
  });

  it("is nothing within the first 48 hours of a boot, nor where it would take longer", async () => {
    await play(3 * dayMs, 10 * minuteMs, heap(900), 2 * dayMs - minuteMs);
    expect(await findingOf("memory_growing")).toBeNull();
    scene.clock.advance(minuteMs);
    await play(3 * dayMs, 10 * minuteMs, heap(900), 2 * dayMs);
    expect(await findingOf("memory_growing")).not.toBeNull();
  });

  it("is nothing where it would take longer than three times the time observed", async () => {
    await play(3 * dayMs, 10 * minuteMs, heap(190));
    expect(await findingOf("memory_growing")).toBeNull();
  });
});

describe("[OUR-HLT-43] [OUR-HLT-46] a plugin that grew", () => {
  /** The example with so many of 1,000 samples in a plugin. */
  const captured = (agoMs: number, samples: number, more: Json = {}): Json =>
    profilePayload({
      local_id: `profile-${agoMs}`,
      created_at: scene.at(-agoMs),
      frames: [
        ...exampleProfileUpload.frames.slice(0, 1),
        { frame: "m.Map.run", owner: "Maps", plugin: true },
      ],
      nodes: [
        { parent: -1, frame: 0, samples: 1000 - samples },
        { parent: 0, frame: 1, samples },
      ],
      samples: { tick: 1000, total: 1000 },
      ...more,
    });

  const lateFor = (lateMs: number) => (agoMs: number) => ({ mspt: agoMs <= lateMs ? 70 : 20 });

  it.each([
    ["by 5 points", 50, 100, true],
    ["by less", 50, 99, false],
  ])("%s since ticks are late", async (_, before, now, isFound) => {
    const [former, newest] = [
      await send("/profiles", captured(4 * hourMs, before)),
      await send("/profiles", captured(30 * minuteMs, now)),
    ];
    await play(3 * hourMs, 30 * secondMs, lateFor(hourMs));
    const finding = await findingOf("plugin_grew");
    expect(finding !== null).toBe(isFound);
    if (isFound)
      expect(finding).toMatchObject({
        severity: "warning",
        subject: "Maps",
        next: [
          {
            tool: "compare_profiles",
            arguments: { base: former["summary_id"], target: newest["summary_id"] },
          },
          { tool: "get_profile", arguments: { profile_id: newest["profile_id"] } },
          { action: "capture_profile", tool: null, page: `/servers/${scene.server.id}/profiles` },
        ],
      });
  });

  it("is not looked for without late ticks, in a profile from before, or against one of another trigger", async () => {
    await send("/profiles", captured(4 * hourMs, 50));
    await send("/profiles", captured(2 * hourMs, 300));
    await play(3 * hourMs, 30 * secondMs, lateFor(0));
    expect(await findingOf("plugin_grew")).toBeNull();
    expect(await findingOf("plugin_heavy")).toMatchObject({ severity: "info", subject: "Maps" });
    scene.clock.advance(3 * hourMs);
    await play(3 * hourMs, 30 * secondMs, lateFor(hourMs));
    expect(await findingOf("plugin_grew")).toBeNull();
    await send("/profiles", captured(minuteMs, 600, { trigger: "manual" }));
    expect(await findingOf("plugin_grew")).toBeNull();
    expect(await findingOf("plugin_heavy")).toMatchObject({ severity: "warning" });
  });
});

describe("[OUR-HLT-121] a disk that fills", () => {
  const filling = (perDay: number) => (ago: number) => ({
    mspt: 20,
    disk_total_mb: 200_000,
    disk_free_mb: Math.round(60_000 + (perDay * ago) / dayMs),
  });

  it("is found from what was sent in a week, with its growth and the hours left", async () => {
    await play(7 * dayMs, 5 * minuteMs, filling(10_000));
    const finding = await findingOf("disk_nearly_full");
    expect(finding).toMatchObject({ severity: "warning", since: null, since_is_at_least: false });
    const [, , , perDay, left] = listOf(finding, "evidence");
    expect(perDay).toMatchObject({ key: "disk_growth_mb_per_day", unit: "mb" });
    expect(Math.abs(Number(perDay?.["value"]) - 10_000)).toBeLessThan(50);
    expect(left).toMatchObject({ key: "hours_until_disk_full", unit: "hours", threshold: 168 });
    expect(Math.abs(Number(left?.["value"]) - 144)).toBeLessThan(2);
    // The stored evaluation of the fleet says the same.
    const row = rowsOf(
      await scene.service.request("GET", "/api/v1/monitoring/overview", { token: scene.token }),
    )[0];
    expect((row?.["health"] as Json | undefined)?.["reasons"]).toContain("disk_nearly_full");
  });

  it("is not where it takes longer, or where too little was sent", async () => {
    await play(7 * dayMs, 5 * minuteMs, filling(8000));
    expect(await findingOf("disk_nearly_full")).toBeNull();
  });

  it("is not known from two days", async () => {
    await play(2 * dayMs, 5 * minuteMs, filling(20_000));
    expect(await findingOf("disk_nearly_full")).toBeNull();
  });
});

describe("[OUR-HLT-45] a finding that holds for long", () => {
  const lateSince = (agoMs: number) => (ago: number) => ({ mspt: ago <= agoMs ? 70 : 20 });

  it("has the beginning that lies beyond three hours", async () => {
    await play(30 * hourMs, minuteMs, lateSince(9 * hourMs));
    const finding = await findingOf("tick_over_budget");
    expect(finding).toMatchObject({ since_is_at_least: false });
    const apart = Date.parse(finding?.["since"] as string) - (scene.clock.now() - 9 * hourMs);
    expect(Math.abs(apart)).toBeLessThanOrEqual(5 * minuteMs);
  });

  it("began before the period, if it held in all of it, and at its start in a longer one", async () => {
    await play(30 * hourMs, minuteMs, lateSince(28 * hourMs));
    expect(await findingOf("tick_over_budget")).toMatchObject({ since: null, since_is_at_least: true });
    const finding = await findingOf("tick_over_budget", "7d");
    expect(finding).toMatchObject({ since_is_at_least: false });
    const apart = Date.parse(finding?.["since"] as string) - (scene.clock.now() - 28 * hourMs);
    expect(Math.abs(apart)).toBeLessThanOrEqual(5 * minuteMs);
  });

  it("has no known beginning where nothing was measured before", async () => {
    await play(5 * hourMs, minuteMs, lateSince(6 * hourMs));
    expect(await findingOf("tick_over_budget")).toMatchObject({ since: null, since_is_at_least: true });
  });

  it("is dated for the heap, the container and pauses as well", async () => {
    await play(20 * hourMs, minuteMs, (ago) => ({
      mspt: 20,
      ram_max_mb: 10_000,
      container_limit_mb: 12_000,
      heap_after_gc_mb: ago <= 7 * hourMs ? 9500 : 4000,
      rss_mb: ago <= 6 * hourMs ? 11_900 : 9000,
      gc_stw_ms: ago <= 5 * hourMs ? 9000 : 0,
    }));
    for (const [code, hours, withinMs] of [
      ["heap_near_full", 7, 5 * minuteMs],
      ["container_near_limit", 6, 5 * minuteMs],
      ["gc_heavy", 5, hourMs],
    ] as const) {
      const finding = await findingOf(code);
      expect([code, finding?.["since_is_at_least"]]).toEqual([code, false]);
      const apart = Date.parse(finding?.["since"] as string) - (scene.clock.now() - hours * hourMs);
      expect([code, Math.abs(apart) <= withinMs]).toEqual([code, true]);
    }
  });
});

it.each([
  [25, "critical"],
  [24.9, "warning"],
  ["80", "warning"],
])("[OUR-HLT-47] throttling of %s %% of the time slices is %s", async (percent, severity) => {
  await play(hourMs, 30 * secondMs, () => ({ mspt: 20 }));
  const throttled = (id: string, share: unknown): Json =>
    event(id, {
      type: "cpu_throttled",
      category: "custom",
      timestamp: scene.at(-minuteMs),
      metadata: { throttled_periods_percent: share },
    });
  await send("/events", { events: [throttled("1", 6), throttled("2", percent)] });
  expect(await findingOf("cpu_throttled")).toMatchObject({ severity });
});

it("[OUR-HLT-48] changes near the start of a finding: kinds in their order, the nearest first, five at most", async () => {
  await play(3 * hourMs, 30 * secondMs, (ago) => ({ mspt: ago <= hourMs ? 70 : 20 }));
  const happened = (type: string, minutes: number): Json =>
    event(`${type}-${minutes}`, {
      type,
      category: "lifecycle",
      title: `${type} at ${minutes}`,
      timestamp: scene.at(-hourMs - minutes * minuteMs),
    });
  await send("/events", {
    events: [
      happened("server_crash", 1),
      happened("backup_complete", 2),
      happened("world_generation", 3),
      happened("restart", 20),
      happened("restart", 4),
      happened("plugin_updated", 25),
      happened("plugin_updated", 40),
    ],
  });
  const finding = await findingOf("tick_over_budget");
  expect(listOf(finding, "coincides_with").map(({ kind, subject }) => [kind, subject])).toEqual([
    ["plugin_updated", "plugin_updated at 25"],
    ["restart", "restart at 4"],
    ["restart", "restart at 20"],
    ["world_generation", "world_generation at 3"],
    ["backup", "backup_complete at 2"],
  ]);
});
