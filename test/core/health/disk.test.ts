import { describe, expect, it } from "vitest";
import { evaluateHealth } from "../../../src/core/health/evaluate.ts";
import { lowMs, type FieldLow } from "../../../src/core/health/field-low.ts";
import type { HealthField } from "../../../src/core/health/health-fields.ts";
import { diskGrowth } from "../../../src/core/health/disk-room.ts";
import type { Instant } from "../../../src/core/time.ts";
import { dice } from "../../support/dice.ts";
import { day, factsOf, minute, noon, sampleAt, samplesOf, type ChangedFacts } from "./facts.ts";

const gib = 1024;
const room = (free: number, total = 100 * gib): Partial<Record<HealthField, number>> => ({
  tps: 20,
  mspt: 12,
  disk_free_mb: free,
  disk_total_mb: total,
});

const answerOf = (changes: ChangedFacts) => evaluateHealth(factsOf(changes));
const diskOf = (changes: ChangedFacts) =>
  answerOf(changes).findings.find(({ code }) => code === "disk_nearly_full") ?? null;
const always = (fields: Partial<Record<HealthField, number>>): ChangedFacts => ({
  samples: samplesOf(() => fields),
});
/** Free MB by how long before noon. */
const course = (free: (ago: number) => number): ChangedFacts => ({
  samples: samplesOf((at) => room(free(noon - at))),
});

it.each<[string, number, number, string | null]>([
  ["10 % is enough", 10 * gib, 100 * gib, null],
  ["less is a warning", 10 * gib - 1, 100 * gib, "warning"],
  ["3 % is still one", 3 * gib, 100 * gib, "warning"],
  ["less than 3 % is critical", 3 * gib - 1, 100 * gib, "critical"],
  ["so is less than 1 GiB of a small disk", gib - 1, 5 * gib, "critical"],
  ["of which 1 GiB is enough", gib, 5 * gib, null],
  ["a full one", 0, 100 * gib, "critical"],
])("[OUR-HLT-120] of a disk %s", (_, free, total, expected) => {
  expect(diskOf(always(room(free, total)))?.severity ?? null).toBe(expected);
});

it("[OUR-HLT-120] nothing is said of a disk that was not measured, or has no size", () => {
  expect(diskOf({})).toBeNull();
  expect(diskOf(always({ tps: 20, disk_free_mb: 0 }))).toBeNull();
  expect(diskOf(always(room(0, 0)))).toBeNull();
});

it("[OUR-HLT-120] it begins with five minutes below, and ends after an hour above", () => {
  const begun = diskOf(course((ago) => (ago <= 3 * minute ? 2 * gib : 50 * gib)));
  expect(begun).toMatchObject({ severity: "critical", since: new Date(noon - 5 * minute).toISOString() });
  // One sample of ten is no median.
  expect(diskOf(course((ago) => (ago <= 20_000 ? 2 * gib : 50 * gib)))).toBeNull();
  const over = (minutes: number) =>
    diskOf(course((ago) => (ago > minutes * minute && ago <= 100 * minute ? 5 * gib : 50 * gib)));
  expect(over(55)).toMatchObject({ severity: "warning", since: new Date(noon - 100 * minute).toISOString() });
  expect(over(60)).toBeNull();
});

it("[OUR-HLT-120] a backup that comes and goes is one finding, and a shorter time above ends none", () => {
  const found = diskOf(course((ago) => (Math.floor(ago / (25 * minute)) % 2 === 0 ? 5 * gib : 50 * gib)));
  expect(found).toMatchObject({ severity: "warning", since: null, since_is_at_least: true });
});

/** Lows of the free space, of seven days before noon, `perDay` MB less each day. */
const filling = (perDay: number, { last = 40 * gib, count = 28, noise = 0, seed = 1 } = {}): FieldLow[] => {
  const random = dice(seed);
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor(noon / lowMs) * lowMs - (count - index) * lowMs;
    const mb = Math.round(last + ((count - 1 - index) * perDay * lowMs) / day + noise * (random() - 0.5));
    return { at, lowAt: at + lowMs - minute, mb };
  });
};

const growing = (
  perDay: number,
  free = 40 * gib,
  changes: Parameters<typeof filling>[1] = {},
): ChangedFacts => ({
  ...always(room(free)),
  diskLows: filling(perDay, { last: free, ...changes }),
});

describe("[OUR-HLT-121] growth", () => {
  it("that fills the rest within seven days is a warning, without a start", () => {
    const answer = answerOf(growing(6 * gib));
    expect(answer.findings[0]).toMatchObject({
      code: "disk_nearly_full",
      severity: "warning",
      since: null,
      since_is_at_least: false,
      evidence: [
        { key: "disk_free_share", value: 40, unit: "percent", threshold: 10 },
        { key: "disk_free_mb", value: 40 * gib, unit: "mb", threshold: null },
        { key: "disk_total_mb", value: 100 * gib, unit: "mb", threshold: null },
        { key: "disk_growth_mb_per_day", value: 6 * gib, unit: "mb", threshold: null },
        { key: "hours_until_disk_full", value: 160, unit: "hours", threshold: 168 },
      ],
    });
    expect(answer.headline.text).toBe(
      "The disk fills by 6.0 GB a day, and is full at about 2026-11-27 04:00:00 UTC if it goes on.",
    );
  });

  it.each<[string, ChangedFacts, boolean]>([
    ["takes longer", growing(5.7 * gib), false],
    ["is just fast enough", growing(5.72 * gib), true],
    ["has too few lows", growing(20 * gib, 40 * gib, { count: 9 }), false],
    ["has too short a time", growing(20 * gib, 40 * gib, { count: 12 }), false],
    ["has three days and a bit", growing(20 * gib, 40 * gib, { count: 13 }), true],
    ["goes the other way", growing(-20 * gib), false],
    ["is none", growing(0), false],
  ])("%s", (_, changes, isFound) => {
    expect(diskOf(changes) !== null).toBe(isFound);
  });

  it("is taken from what is free now: whoever makes room ends the finding at once", () => {
    expect(diskOf({ ...always(room(80 * gib)), diskLows: filling(6 * gib) })).toBeNull();
  });

  it("is not seen in one jump, in backups that come and go, or in noise", () => {
    const start = Math.floor(noon / lowMs) * lowMs - 28 * lowMs;
    const lows = (mb: (at: Instant, index: number) => number): FieldLow[] =>
      Array.from({ length: 28 }, (_, index) => ({
        at: start + index * lowMs,
        lowAt: start + index * lowMs + minute,
        mb: mb(start + index * lowMs, index),
      }));
    expect(diskGrowth(lows((_, index) => (index < 25 ? 60 * gib : 20 * gib)))).toBeNull();
    expect(diskGrowth(lows((_, index) => 60 * gib - (index % 4) * 8 * gib))).toBeNull();
    const seeds = Array.from({ length: 200 }, (_, seed) => seed);
    const isFound = (perDay: number) => (seed: number) =>
      diskGrowth(filling(perDay, { noise: 4 * gib, seed: seed + 1 })) !== null;
    // One side of an interval of 95 %.
    expect(seeds.filter(isFound(0)).length / 200).toBeLessThan(0.05);
    expect(seeds.filter(isFound(gib)).length / 200).toBeGreaterThan(0.95);
  });
});

it("[OUR-HLT-122] the backups' disk is a warning where the next backup may fail, after that of the worlds", () => {
  const both = (free: number, backups: number): ChangedFacts =>
    always({ ...room(free), backup_disk_free_mb: backups, backup_disk_total_mb: 500 * gib });
  expect(diskOf(both(50 * gib, 15 * gib))).toBeNull();
  const answer = answerOf(both(50 * gib, 15 * gib - 1));
  expect(answer.findings[0]).toMatchObject({
    code: "disk_nearly_full",
    severity: "warning",
    evidence: [
      { key: "backup_disk_free_share", value: 3, threshold: 3 },
      { key: "backup_disk_free_mb", value: 15 * gib - 1, threshold: 1024 },
      { key: "backup_disk_total_mb", value: 500 * gib, threshold: null },
    ],
  });
  expect(answer.headline.text).toBe(
    "The disk of the backups has 3 % free: 15.0 GB of 500.0 GB. On a full disk no backup is made.",
  );
  expect(diskOf(both(2 * gib, 0))?.evidence[0]?.key).toBe("disk_free_share");
  expect(
    diskOf(always({ tps: 20, backup_disk_free_mb: 10, backup_disk_total_mb: 500 * gib }))?.evidence[0]?.key,
  ).toBe("backup_disk_free_share");
});

it("[OUR-HLT-123] the evidence has the largest world and the growth, the next step is to make room", () => {
  const samples = samplesOf((_, index) => ({
    ...room(5 * gib),
    // Counted once an hour, and not lately.
    ...(index === 100 && { largest_world_mb: 31_000 }),
  }));
  const answer = answerOf({ samples, diskLows: filling(2 * gib, { last: 5 * gib }) });
  const [found] = answer.findings;
  expect(found?.evidence.map(({ key, value }) => [key, value])).toEqual([
    ["disk_free_share", 5],
    ["disk_free_mb", 5 * gib],
    ["disk_total_mb", 100 * gib],
    ["disk_growth_mb_per_day", 2 * gib],
    ["hours_until_disk_full", 60],
    ["largest_world_mb", 31_000],
  ]);
  expect(found?.next.map(({ action }) => action)).toEqual(["free_disk", "read_metrics"]);
  expect(answer.headline.text).toBe(
    "The disk has 5 % free: 5.0 GB of 100.0 GB. On a full disk the server cannot save.",
  );
});

it("[OUR-HLT-123] the newest of the least five minutes is shown, and of a disk that fills the last", () => {
  const found = diskOf({
    samples: [60, 40, 20, 1].map((minutes) =>
      sampleAt(noon - minutes * minute, room(minutes === 1 ? 2 * gib : minutes * gib)),
    ),
  });
  expect(found?.evidence[0]).toMatchObject({
    value: 2,
    threshold: 3,
    measured_at: new Date(noon - minute).toISOString(),
  });
});
