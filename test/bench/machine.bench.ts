import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { BenchContext } from "../../src/bench/bench-test.ts";
import { batchChecksum, operationsInRound, roundsInBatch } from "../../src/bench/machine/cpu/cpu-kernel.ts";
import { bandwidthBytes, lastLevelCacheBytes } from "../../src/bench/machine/memory/memory-bandwidth.ts";
import { machineTests } from "../../src/bench/machine/machine-tests.ts";
import { usableMemory } from "../../src/bench/machine/usable-memory.ts";
import { median } from "../../src/core/statistics/order.ts";
import { bundled } from "../support/bundled.ts";
import {
  compiled,
  fio,
  lmbenchLatency,
  numbersOf,
  outputOf,
  printRatio,
  sysbenchRate,
  variation,
  withQuota,
} from "./machine-baselines.ts";

const timeoutMs = 900_000;
/** On a disk, where the folder for temporary files may be in memory. */
const folder = mkdtempSync(join("dist", "tickmark-bench-"));
const oneTest = await bundled(join(import.meta.dirname, "../machine/one-test.ts"));
afterAll(() => {
  oneTest.remove();
  rmSync(folder, { recursive: true });
});

/** A short run of a machine test; its metrics. */
async function metricsOf(id: string, length: number, changed: Partial<BenchContext> = {}) {
  const test = machineTests.find((each) => each.id === id);
  const result = await test?.run({
    signal: new AbortController().signal,
    folder,
    length,
    processors: availableParallelism(),
    memoryBytes: await usableMemory(),
    measuredBy: "wall_time",
    progress: () => {},
    ...changed,
  });
  expect(result?.outcome, id).toBe("success");
  return (name: string): number => Number(result?.metrics?.[name] ?? Number.NaN);
}

it(
  "one core against the same kernel in C, by CPU time",
  async () => {
    const native = compiled("cpu", folder);
    const [ours, theirs, wall]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < 10; round += 1) {
      const metric = await metricsOf("cpu_single_core", 0.1);
      ours.push(metric("ops_per_cpu_second"));
      wall.push(metric("ops_per_second"));
      if (native === null) continue;
      const [checksum, perSecond = 0] = numbersOf(outputOf(native, String(roundsInBatch), "1") ?? "");
      expect(checksum).toBe(batchChecksum);
      theirs.push(perSecond * operationsInRound);
    }
    console.log(`one core: ${Math.round(median(wall))} operations a second by wall time (unit provisional)`);
    const beside = native === null ? "" : `; of the same work in C ${variation(theirs).toFixed(2)} %`;
    console.log(
      `one core: variation of 10 runs ${variation(ours).toFixed(2)} % by CPU time (at most 3)${beside}`,
    );
    // Time for the same work: ours as a multiple of native code.
    if (native !== null) printRatio("one core, time for the same work", theirs, ours, [0.9, 1.15]);
  },
  timeoutMs,
);

it(
  "all cores against sysbench: by which factor threads speed work up",
  async () => {
    const all = availableParallelism();
    const counts = [...new Set([1, 2, all])].filter((count) => count <= all);
    const [ours, theirs] = [new Map<number, number[]>(), new Map<number, number[]>()];
    const push = (at: Map<number, number[]>, count: number, value: number) =>
      at.set(count, [...(at.get(count) ?? []), value]);
    for (let round = 0; round < 5; round += 1)
      for (const count of counts) {
        push(ours, count, (await metricsOf("cpu_multi_core", 0.2, { processors: count }))("ops_per_second"));
        const rate = sysbenchRate(count, 2);
        if (rate !== null) push(theirs, count, rate);
      }
    const factors = (at: Map<number, number[]>, count: number): number[] =>
      (at.get(count) ?? []).map((value, round) => value / (at.get(1)?.[round] ?? Number.NaN));
    for (const count of counts.slice(1))
      if (theirs.size > 0)
        printRatio(`${count} threads, factor`, factors(ours, count), factors(theirs, count), [0.95, 1.05]);
  },
  timeoutMs,
);

it(
  "memory against the same loops in C, and mbw",
  async () => {
    // All of them copy one half of as much memory into the other.
    const bandwidthMib = bandwidthBytes(lastLevelCacheBytes()) / 1024 ** 2;
    const native = compiled("memory", folder);
    const kinds = ["read_gb_s", "write_gb_s", "copy_gb_s", "latency_ns"] as const;
    const ours: number[][] = kinds.map(() => []);
    const theirs: number[][] = kinds.map(() => []);
    const mbw = new Map<string, number[]>([
      ["0", []],
      ["1", []],
    ]);
    for (let round = 0; round < 5; round += 1) {
      const bandwidth = await metricsOf("memory_bandwidth", 0.3);
      const latency = await metricsOf("memory_latency", 0.5);
      kinds.forEach((kind, index) =>
        ours[index]?.push(kind === "latency_ns" ? latency(kind) : bandwidth(kind)),
      );
      if (native !== null) {
        const rates = numbersOf(outputOf(native, String(bandwidthMib), "0.15") ?? "").slice(0, 3);
        const [latencyNs = Number.NaN] = numbersOf(outputOf(native, "256", "0.15") ?? "").slice(3);
        [...rates, latencyNs].forEach((value, index) => theirs[index]?.push(value));
      }
      for (const [method, rates] of mbw) {
        const output = outputOf("mbw", "-q", "-n", "20", "-t", method, String(bandwidthMib / 2)) ?? "";
        // The best of its runs, as ours is the best slice.
        const runs = [...output.matchAll(/^\d+\s.*Copy: ([\d.]+) MiB\/s/gm)].map(([, rate]) => Number(rate));
        if (runs.length > 0) rates.push((Math.max(...runs) * 1024 ** 2) / 1e9);
      }
    }
    kinds.forEach((kind, index) => {
      const range: [number, number] = kind === "latency_ns" ? [0.85, 1.25] : [0.8, 1.2];
      if (native !== null) printRatio(`memory ${kind}`, ours[index] ?? [], theirs[index] ?? [], range);
    });
    // Whatever it prints, mbw 1.2.2 copies in a plain loop, as we do, with `-t 0`, and calls `memcpy` with `-t 1`.
    const [loops = [], calls = []] = mbw.values();
    if (loops.length > 0) printRatio("memory copy against mbw", ours[2] ?? [], loops, [0.8, 1.2]);
    if (calls.length > 0)
      console.log(
        `memory copy: ${(median(ours[2] ?? []) / median(calls)).toFixed(2)} of \`memcpy\` of the C library, by mbw (no aim)`,
      );
  },
  timeoutMs,
);

it(
  "the latency of memory against lat_mem_rd of lmbench, in turns",
  async () => {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < 3; round += 1) {
      const nanoseconds = lmbenchLatency();
      if (nanoseconds === null) return;
      theirs.push(nanoseconds);
      ours.push((await metricsOf("memory_latency", 0.5))("latency_ns"));
    }
    printRatio("memory latency_ns against lat_mem_rd", ours, theirs, [0.85, 1.25]);
  },
  timeoutMs,
);

it(
  "the disk against fio with psync, in turns",
  async () => {
    const file = join(folder, "fio");
    if (fio("write", file, "--bs=1M", "--end_fsync=1") === null) return;
    const names = ["read MB/s", "write MB/s", "4K read IOPS", "4K read p99 ms", "4K write IOPS"] as const;
    const ours: number[][] = names.map(() => []);
    const theirs: number[][] = names.map(() => []);
    const timed = ["--bs=4k", "--time_based", "--runtime=3"];
    for (let round = 0; round < 5; round += 1) {
      const sequential = await metricsOf("disk_sequential", 1);
      const write = fio("write", file, "--bs=1M", "--end_fsync=1");
      const read = fio("read", file, "--bs=1M");
      const random = await metricsOf("disk_random_4k", 0.6);
      const randomRead = fio("randread", file, ...timed);
      const randomWrite = fio("randwrite", file, ...timed);
      const keys = ["read_iops", "read_p99_ms", "write_iops"] as const;
      [sequential("read_mb_s"), sequential("write_mb_s"), ...keys.map(random)].forEach((value, index) =>
        ours[index]?.push(value),
      );
      [read?.mbS, write?.mbS, randomRead?.iops, randomRead?.p99Ms, randomWrite?.iops].forEach(
        (value, index) => theirs[index]?.push(value ?? Number.NaN),
      );
    }
    names.forEach((name, index) =>
      printRatio(
        `disk ${name}`,
        ours[index] ?? [],
        theirs[index] ?? [],
        name.includes("p99") ? [0.85, 1.15] : [0.9, 1.1],
      ),
    );
  },
  timeoutMs,
);

it(
  "a processor by quota: 100, 50 and 25 percent",
  () => {
    const shares = [1, 0.5, 0.25];
    const rates = shares.map((share) => {
      const rounds = [1, 2, 3].flatMap(() => {
        const test = [oneTest.path, "cpu_single_core", folder, "0.2"];
        const output = withQuota(share, process.execPath, ...test);
        if (output === null) return [];
        const { metrics } = JSON.parse(output) as { metrics: { ops_per_second: number } };
        return [metrics.ops_per_second];
      });
      return rounds.length === 0 ? null : median(rounds);
    });
    const [whole, half, quarter] = rates;
    if (!whole || !half || !quarter) return;
    printRatio("half a processor, share", [half / whole], [0.5], [0.9, 1.1]);
    printRatio("a quarter of a processor, share", [quarter / whole], [0.25], [0.9, 1.1]);
  },
  timeoutMs,
);
