import { expect, it } from "vitest";
import { mayBeDirect } from "../../src/bench/machine/disk/direct-file.ts";
import { Latencies } from "../../src/bench/machine/disk/latencies.ts";
import { bandwidthBytes, lastLevelCacheBytes } from "../../src/bench/machine/memory/memory-bandwidth.ts";
import { spreadBeyondLimit, spreadMarks, spreadPercent } from "../../src/bench/machine/slices.ts";
import { machineTree } from "../agent/machine-tree.ts";

const mib = 1024 ** 2;

it("[OUR-BCH-04] slices that differ by more than 8 % of the largest are unsteady", () => {
  expect(spreadPercent([100, 95, 92])).toBe(8);
  expect(spreadPercent([0, 0])).toBe(0);
  expect(spreadMarks({ spread: 8 })).toEqual({ flags: { unsteady: false }, witnesses: [] });
  expect(spreadMarks({ spread: 12.34 })).toEqual({
    flags: { unsteady: true },
    witnesses: [{ key: "slice_spread_percent", expected: 8, actual: 12.3, unit: "percent" }],
  });
  expect([8, 12.34].map((spread) => spreadBeyondLimit(spreadMarks({ spread })))).toEqual([0, 12.3]);
});

it("[OUR-BCH-07] a percentile is the value that so many percent do not exceed", () => {
  const latencies = new Latencies(200);
  expect(latencies.percentiles({ p50: 50 })).toBeNull();
  for (let value = 100; value >= 1; value -= 1) latencies.add(value);
  const ranks = { p50: 50, p99: 99, p99_5: 99.5, p100: 100 };
  expect(latencies.percentiles(ranks)).toEqual({ p50: 50, p99: 99, p99_5: 100, p100: 100 });
  expect([latencies.count, latencies.isFull]).toEqual([100, false]);
});

it("[OUR-BCH-13] bandwidth is measured far beyond the cache, within bounds", () => {
  const cache = (size: string) =>
    lastLevelCacheBytes(
      machineTree({
        "sys/devices/system/cpu/cpu0/cache/index2/size": "1024K\n",
        "sys/devices/system/cpu/cpu0/cache/index3/size": size,
      }),
    );
  expect(cache("32768K\n")).toBe(32 * mib);
  expect(cache("480M\n")).toBe(480 * mib);
  expect(lastLevelCacheBytes(machineTree({}))).toBe(0);
  expect([0, 32 * mib, 96 * mib, 480 * mib].map((bytes) => bandwidthBytes(bytes) / mib)).toEqual([
    256, 256, 384, 1024,
  ]);
});

it("[OUR-BCH-06] file systems in memory, and those that only pass O_DIRECT on, have no real direct IO", () => {
  const [ext4, xfs, nfs, tmpfs, ramfs, zfs, fuse] = [
    0xef53, 0x5846_5342, 0x6969, 0x0102_1994, 0x8584_58f6, 0x2fc1_2fc1, 0x6573_5546,
  ];
  expect([ext4, xfs, nfs].map(mayBeDirect)).toEqual([true, true, true]);
  expect([tmpfs, ramfs, zfs, fuse].map(mayBeDirect)).toEqual([false, false, false, false]);
});
