import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { measuredBySpark } from "../../../src/core/import/spark-measured.ts";
import { profileOfSpark } from "../../../src/core/import/spark-profile.ts";
import { detailOf } from "../../../src/core/profile/detail.ts";
import { ProfileDocument } from "../../../src/core/profile/document.ts";
import { importedSamples, maxWindows } from "../../../src/core/profile/measured.ts";
import { DetailBody } from "../../../src/core/profile/profile-detail.ts";
import { sharedData } from "../../support/shared-data.ts";
import { sparkFile } from "../../support/spark-file.ts";
import { endField, windowFields, type SparkWindow } from "../../support/spark-windows.ts";
import { digest } from "./reading.ts";

const start = Date.UTC(2026, 10, 20, 7);
const minute = 60_000;
const at = (minutes: number): string => new Date(start + minutes * minute).toISOString();

const busy = {
  startMs: start,
  endMs: start + minute,
  tps: 19.5,
  medianMs: 31.25,
  longestMs: 88,
  cpuProcess: 0.25,
  cpuSystem: 0.5,
  players: 4,
  entities: 900,
  tileEntities: -1,
  chunks: 2000,
};
const fileOf = (windows: readonly SparkWindow[], end = {}): Uint8Array =>
  sparkFile({ more: windowFields(windows), metadata: [endField(end)] });
const windowsOf = (windows: readonly SparkWindow[], end = {}) =>
  measuredBySpark(fileOf(windows, end))?.windows ?? [];

describe("what spark measured", () => {
  it("[OUR-PRO-68] are its windows, the last with what was measured once at the end", () => {
    const next = { ...busy, startMs: start + minute, endMs: start + 2 * minute };
    const mib = 1024 * 1024;
    const windows = windowsOf([next, busy], {
      p95Ms: 44.5,
      heapUsed: 2048 * mib,
      heapMax: 4096 * mib,
      worlds: { nether: 20, world: 700, end: 30, void: 1 },
    });
    const told = {
      tps: 19.5,
      mspt: 31.25,
      worst_tick_ms: 88,
      cpu_usage: 25,
      cpu_system: 50,
      player_count: 4,
      entity_count: 900,
      tile_entities: null,
      loaded_chunks: 2000,
    };
    expect(windows).toEqual([
      { start: at(0), end: at(1), ...told },
      {
        start: at(1),
        end: at(2),
        ...told,
        mspt_p95: 44.5,
        ram_used_mb: 2048,
        ram_max_mb: 4096,
        worlds_top: [
          { name: "world", entities: 700 },
          { name: "end", entities: 30 },
          { name: "nether", entities: 20 },
        ],
      },
    ]);
  });

  it("[OUR-PRO-68] is unknown where the file has 0, a negative or an impossible number, and 0 where it counted", () => {
    const empty = { ...busy, players: 0, entities: 0, chunks: 400, tileEntities: 0 };
    expect(windowsOf([empty])[0]).toMatchObject({ player_count: 0, entity_count: 0, tile_entities: 0 });
    const nothing = { startMs: start, endMs: start + minute };
    const unknown = {
      tps: null,
      mspt: null,
      worst_tick_ms: null,
      cpu_usage: null,
      cpu_system: null,
      player_count: null,
      entity_count: null,
      tile_entities: null,
      loaded_chunks: null,
    };
    expect(windowsOf([nothing])[0]).toMatchObject(unknown);
    const uncounted = { players: -7, entities: -1, tileEntities: -1, chunks: -1 };
    const forged = { tps: 1e9, medianMs: -5, longestMs: Number.NaN, cpuProcess: -1, cpuSystem: Infinity };
    expect(windowsOf([{ ...nothing, ...forged, ...uncounted }])[0]).toMatchObject(unknown);
  });

  it("[OUR-PRO-68] leaves out windows without their times, and the oldest of too many", () => {
    const { startMs: _, ...without } = { ...busy };
    expect(measuredBySpark(fileOf([without as SparkWindow, { ...busy, endMs: busy.startMs }]))).toBeNull();
    expect(measuredBySpark(sparkFile())).toBeNull();
    const many = Array.from({ length: maxWindows + 5 }, (_, index) => ({
      ...busy,
      startMs: start + index * minute,
      endMs: start + (index + 1) * minute,
    }));
    const kept = windowsOf(many);
    expect([kept.length, kept[0]?.start]).toEqual([maxWindows, at(5)]);
  });

  it("[OUR-PRO-68] is in the document and its answer, the newest window first, and in samples of the windows' ends", () => {
    const next = { ...busy, startMs: start + minute, endMs: start + 2 * minute, tps: 18 };
    const document = ProfileDocument.parse(profileOfSpark(fileOf([busy, next]), digest));
    const detail = detailOf(document, null);
    expect(DetailBody.parse(detail)).toEqual(detail);
    expect(detail.measured?.source).toBe("spark");
    expect(detail.measured?.windows.map(({ end, tps }) => [end, tps])).toEqual([
      [at(2), 18],
      [at(1), 19.5],
    ]);
    const samples = document.measured === null ? [] : importedSamples(document.measured);
    expect(samples.map(({ startedAt, sampledAt, sample }) => [startedAt, sampledAt, sample.tps])).toEqual([
      [start, start + minute, 19.5],
      [start + minute, start + 2 * minute, 18],
    ]);
    const { measured: _, ...older } = document;
    expect(detailOf({ ...older, measured: null }, null).measured).toBeNull();
  });
});

const Elsewhere = z.object({
  context: z.object({
    mspt_p95_1m: z.number(),
    jvm_heap: z.object({ used_mb: z.number(), max_mb: z.number() }),
  }),
  timeline: z.array(
    z.object({
      tps: z.number(),
      mspt_median: z.number(),
      mspt_max: z.number(),
      players: z.number(),
      entities: z.number(),
      chunks: z.number(),
      cpu_process: z.number(),
    }),
  ),
});
const path = sharedData("spark/uUrbLpnMju.sparkprofile");
const toldPath = sharedData("spark/expected-uurblpnmju.json");

describe.skipIf(path === null || toldPath === null)("the recorded profile", () => {
  it("[OUR-PRO-68] agrees with another program on both windows and the end", () => {
    const told = Elsewhere.parse(JSON.parse(readFileSync(toldPath ?? "/dev/null", "utf8")));
    const windows = measuredBySpark(new Uint8Array(readFileSync(path ?? "/dev/null")))?.windows ?? [];
    const hundredths = (value: number | null | undefined) => Math.round((value ?? -1) * 100) / 100;
    expect(
      windows.map((window) => ({
        tps: hundredths(window.tps),
        mspt_median: hundredths(window.mspt),
        mspt_max: hundredths(window.worst_tick_ms),
        players: window.player_count,
        entities: window.entity_count,
        chunks: window.loaded_chunks,
        cpu_process: Math.round(window.cpu_usage ?? -1) / 100,
      })),
    ).toEqual(told.timeline);
    const last = windows.at(-1);
    expect(hundredths(last?.mspt_p95)).toBe(told.context.mspt_p95_1m);
    expect([last?.ram_used_mb, last?.ram_max_mb]).toEqual([
      Math.round(told.context.jvm_heap.used_mb),
      told.context.jvm_heap.max_mb,
    ]);
    expect(last?.worlds_top?.map(({ name, entities }) => [name, entities])).toEqual([
      ["overworld", 1072],
      ["the_nether", 828],
      ["the_end", 158],
    ]);
    console.log(`recording: ${JSON.stringify(windows)}`);
  });
});
