import { describe, expect, it } from "vitest";
import { settleClock } from "../../../src/core/metric/clock.ts";
import { sampleFields } from "../../../src/core/metric/fields.ts";
import { ReportedSample, sampleOf } from "../../../src/core/metric/reported-sample.ts";

const at = "2026-11-20T12:00:00.000Z";
const reported = (fields: object) => ReportedSample.safeParse({ sampled_at: at, ...fields });
const shown = (fields: object) => sampleOf(ReportedSample.parse({ sampled_at: at, ...fields }));

describe("a reported sample", () => {
  it("[VER-05] reads what an older plugin does not send as null", () => {
    expect(shown({})).toEqual(Object.fromEntries(Object.keys(sampleFields).map((field) => [field, null])));
  });

  it("[OUR-SMP-01] ignores keys it does not know", () => {
    expect(shown({ future_field: 1 })).not.toHaveProperty("future_field");
  });

  it("[STA-25] keeps 20.1 ticks a second as 20, and refuses more than 25", () => {
    expect(shown({ tps: 20.1 }).tps).toBe(20);
    expect(reported({ tps: 25.1 }).success).toBe(false);
  });

  it("[STA-27] keeps a percentage of up to 105 as 100 at most, and refuses more", () => {
    expect(shown({ cpu_usage: 104.9 }).cpu_usage).toBe(100);
    expect(reported({ cpu_usage: 105.1 }).success).toBe(false);
  });

  it.each([
    [{ tps: -1 }],
    [{ mspt: Number.NaN }],
    [{ mspt: Number.POSITIVE_INFINITY }],
    [{ player_count: 1.5 }],
    [{ player_count: "3" }],
  ])("[OUR-SMP-02] refuses a value that cannot be: %o", (fields) => {
    expect(reported(fields).success).toBe(false);
  });

  it("[STA-30] takes at most three worlds and 64 regions", () => {
    const world = { name: "world", players: 1 };
    expect(reported({ worlds_top: [world, world, world] }).success).toBe(true);
    expect(reported({ worlds_top: [world, world, world, world] }).success).toBe(false);
    const region = { world: "world", center_x: -8, center_z: 8 };
    expect(reported({ regions: Array.from({ length: 65 }, () => region) }).success).toBe(false);
  });

  it("[STA-34] lists the worst region first, in whatever order they are sent", () => {
    const region = (world: string, figures: object) => ({ world, center_x: 0, center_z: 0, ...figures });
    const worlds = (regions: object[]) => (shown({ regions }).regions ?? []).map(({ world }) => world);
    expect(
      worlds([
        region("calm", { mspt: 8, tps: 20 }),
        region("worst", { mspt: 90, tps: 11 }),
        region("late", { mspt: 51, tps: 19 }),
      ]),
    ).toEqual(["worst", "late", "calm"]);
    expect(worlds([region("fine", { tps: 20 }), region("unknown", {}), region("slow", { tps: 9 })])).toEqual([
      "slow",
      "fine",
      "unknown",
    ]);
  });

  it("[STA-07] [STA-29] drops tick figures of a paused server", () => {
    const sample = shown({
      paused_empty: true,
      player_count: 0,
      tps: 20,
      mspt: 1,
      mspt_p95: 1,
      worst_tick_ms: 1,
      ticks_over_50ms: 1,
      lag_seconds: 1,
      cpu_usage: 2,
    });
    expect(sample).toMatchObject({
      paused_empty: true,
      tps: null,
      mspt: null,
      mspt_p95: null,
      worst_tick_ms: null,
      ticks_over_50ms: null,
      lag_seconds: null,
      cpu_usage: 2,
    });
  });

  it("[STA-08] does not believe a pause with players online", () => {
    expect(shown({ paused_empty: true, player_count: 1, tps: 20 })).toMatchObject({
      paused_empty: false,
      tps: 20,
    });
  });
});

describe("the clock of a heartbeat's sample", () => {
  const now = Date.parse(at);
  it("[OUR-SMP-03] is the plugin's within five minutes of ours, else the receipt", () => {
    expect(settleClock(now - 300_000, now)).toBe(now - 300_000);
    expect(settleClock(now - 300_001, now)).toBe(now);
    expect(settleClock(now + 300_001, now)).toBe(now);
  });
});
