import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Game } from "../../src/bench/game/game-tests.ts";
import { ReportPayload } from "../../src/core/report/payload.ts";
import { ownersPlace, runTest, testOf } from "./simulated-game.ts";

const idle = 0.4;

describe.each([
  { family: "vanilla", version: "1.20.4" },
  { family: "paper", version: "1.21.4" },
] as const)("a $family server of $version", ({ family, version }) => {
  const place = ownersPlace();
  let game: Game;
  beforeAll(async () => {
    game = await place.start({ family, version });
  });
  afterAll(async () => {
    await game.stop();
    place.clean();
  });

  it("[OUR-BCH-40] mobs: entity ticks per ms above idle, all alive, and moving", async () => {
    const result = await runTest(game, "entities_ai");
    expect(place.logged).toEqual([]);
    expect(result).toMatchObject({
      outcome: "success",
      metrics: { entity_count: 640, entity_ticks_per_ms: expect.closeTo(640 / (640 * 0.0125), 6) },
      parameters: { load: 640, unit: "entities", ticks: 120, sprints: 3, idle_mspt: idle },
      mspt: { avg: expect.closeTo(8.4, 6) },
      witnesses: [
        { key: "entities_alive_mid_run", expected: 640, actual: 640 },
        { key: "entities_moved", expected: 512, actual: 640 },
        { key: "slice_spread_percent", actual: 0 },
      ],
    });
  });

  it("[OUR-BCH-40] items: entity ticks per ms above idle", async () => {
    expect(await runTest(game, "entities_items")).toMatchObject({
      outcome: "success",
      metrics: { entity_count: 4096, entity_ticks_per_ms: expect.closeTo(4096 / 10.24, 6) },
      witnesses: [
        { key: "items_alive_mid_run", expected: 4096, actual: 4096 },
        { key: "entities_moved", expected: 3892, actual: 4096 },
        { key: "slice_spread_percent" },
      ],
    });
  });

  it("[OUR-BCH-41] redstone: changes of dust and lamps per ms, and lamps that were seen lit and dark", async () => {
    // 192 lines of 13 dusts and a lamp, each of which changes twice in 12 ticks.
    const perTick = (192 * 14 * 2) / 12;
    expect(await runTest(game, "mechanics_redstone")).toMatchObject({
      outcome: "success",
      metrics: { updates_per_ms: expect.closeTo(perTick / 9.6, 6) },
      witnesses: [
        { key: "redstone_updates", expected: perTick * 360, actual: perTick * 360 },
        { key: "slice_spread_percent" },
      ],
    });
  });

  it("[OUR-BCH-41] hoppers: transfers per ms, and items that arrived", async () => {
    // 192 chains of 8 hoppers: every eight ticks, each hopper passes an item on, and the first one takes one.
    const result = await runTest(game, "mechanics_hopper");
    expect(result).toMatchObject({
      outcome: "success",
      metrics: { transfers_per_ms: expect.closeTo((192 * 9) / 8 / 7.68, 6) },
      witnesses: [{ key: "hopper_transfers", expected: 192 * 9 * 45 }, { key: "slice_spread_percent" }],
    });
    expect(result.witnesses?.[0]?.actual).toBe(192 * 9 * 45);
  });

  it("[OUR-BCH-42] chunks per second, and corners that tick", async () => {
    const began = performance.now();
    const result = await runTest(game, "exploration_chunk_generation", { length: 0.5 });
    const wholeSeconds = (performance.now() - began) / 1000;
    expect(result).toMatchObject({
      outcome: "success",
      metrics: { chunks_generated: 512 },
      witnesses: [{ key: "chunks_generated", expected: 512, actual: 512 }],
    });
    // A chunk takes 0.1 ms of the simulated server; the rest is commands, and what the test does before and after.
    const rate = Number(result.metrics?.["chunks_per_second"]);
    expect(rate).toBeLessThan(10_000);
    expect(rate).toBeGreaterThan(512 / wholeSeconds);
  });

  it("[OUR-BCH-43] the report's blocks: server, JVM, ticks of the loads, pauses and heap", async () => {
    const blocks = await game.blocks();
    expect(blocks).toMatchObject({
      server: { type: family, game_version: version, plugin_count: 0, mod_count: 0 },
      jvm: {
        collector: "g1",
        java_major: 21,
        heap_max_mb: 4096,
        heap_initial_mb: 2048,
        flags: ["-Xms2G", "-Xmx4G"],
      },
      ticks: { count: 4 * 360, mspt: { avg: expect.closeTo((8.4 + 10.64 + 10 + 8.08) / 4, 6) } },
      gc: { pause_max_ms: 12, explicit_gc_count: 0 },
      heap: { max_mb: 4096, used_max_mb: 1200, after_gc_last_mb: 300 },
      config: { view_distance: null },
    });
    expect(blocks.gc?.pause_total_ms).toBe(12 * (blocks.gc?.pauses_count ?? 0));
    expect(game.rssPeakMb()).toBeGreaterThan(1);
    const read = ReportPayload.parse({
      schema: "service-benchmark-report/1",
      local_id: "x",
      plugin_version: "2.0.0",
      benchmark_mode: "custom",
      started_at: "2026-11-25T06:00:00.000Z",
      finished_at: "2026-11-25T06:10:00.000Z",
      hardware: {},
      tests: [],
      ...blocks,
    });
    expect(read.ticks.over_50ms).toBeNull();
  });

  it("names its tests as the payload does", () => {
    expect(game.tests.map(({ id, category }) => [id, category])).toEqual([
      ["exploration_chunk_generation", "exploration"],
      ["entities_ai", "entities"],
      ["entities_items", "entities"],
      ["mechanics_redstone", "mechanics"],
      ["mechanics_hopper", "mechanics"],
    ]);
    expect(testOf(game, "entities_ai").seconds).toBeLessThan(120);
  });
});
