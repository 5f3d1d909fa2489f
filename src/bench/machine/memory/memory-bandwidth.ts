import { readFileSync } from "node:fs";
import type { TestResult } from "../../bench-test.ts";
import { breathe, type MachineJob } from "../job.ts";
import { startMemoryKernel, type MemoryKernel } from "../kernels.ts";
import { hugePageBytes, hugePagePercent, takeMemory, type GivenMemory } from "./memory-size.ts";
import { cpuSeconds, spreadMarks, spreadPercent } from "../slices.ts";
import { nullIfClosed } from "../../../core/failure-code.ts";

const mib = 1024 ** 2;
const leastBytes = 32 * mib;
const smallest = 256 * mib;
const largest = 1024 * mib;
const cacheMultiple = 4;

const sliceCount = 5;
const sliceSeconds = 0.5;

/** Of the first processor; 0 if the kernel does not tell. */
export function lastLevelCacheBytes(root = "/"): number {
  for (const index of [4, 3, 2]) {
    try {
      const text = readFileSync(`${root}/sys/devices/system/cpu/cpu0/cache/index${index}/size`, "utf8");
      const [, size, unit] = /^(\d+)([KM])/.exec(text) ?? [];
      if (size !== undefined) return Number(size) * (unit === "M" ? mib : 1024);
    } catch (error) {
      nullIfClosed(error);
    }
  }
  return 0;
}

/** Little of this size is in the cache. It is limited, because a guest may see a very large cache. */
export const bandwidthBytes = (cacheBytes: number): number =>
  Math.min(Math.max(Math.ceil((cacheMultiple * cacheBytes) / mib) * mib, smallest), largest);

/** `bytes`: counted bytes; `isRight`: whether the values are the expected ones. */
type Pass = (kernel: MemoryKernel, bytes: number) => { readonly bytes: number; readonly isRight: boolean };

const [filling, other] = [0x0102_0304_0506_0708n, 0x0807_0605_0403_0201n];
/** What `read` returns for memory full of one value. */
const sumOf = (value: bigint, bytes: number): bigint => BigInt.asIntN(64, value * BigInt(bytes / 8));
const halfOf = (bytes: number): number => bytes / 2;

const write: Pass = (kernel, bytes) => {
  kernel.write(0, bytes, filling);
  return { bytes, isRight: true };
};
const read: Pass = (kernel, bytes) => ({ bytes, isRight: kernel.read(0, bytes) === sumOf(filling, bytes) });
/** Copied bytes count once, as in mbw. */
const copy: Pass = (kernel, bytes) => {
  kernel.copy(halfOf(bytes), 0, halfOf(bytes));
  return { bytes: halfOf(bytes), isRight: true };
};

/** Whether a copy reaches every byte. */
function copyArrives(kernel: MemoryKernel, bytes: number): boolean {
  const half = halfOf(bytes);
  kernel.write(half, half, other);
  copy(kernel, bytes);
  return kernel.read(half, half) === sumOf(filling, half);
}

interface Measured {
  /** The best slice, bytes/s. */
  readonly best: number;
  readonly bestByCpu: number;
  readonly spread: number;
  readonly bytes: number;
  readonly isRight: boolean;
}

async function measurePass(
  pass: Pass,
  kernel: MemoryKernel,
  bytes: number,
  job: MachineJob,
): Promise<Measured> {
  pass(kernel, bytes);
  const [rates, cpuRates]: [number[], number[]] = [[], []];
  let [total, isRight] = [0, true];
  for (let slice = 0; slice < sliceCount; slice += 1) {
    const [from, cpuFrom] = [performance.now(), cpuSeconds()];
    let done = 0;
    do {
      const one = pass(kernel, bytes);
      done += one.bytes;
      isRight &&= one.isRight;
    } while (performance.now() - from < sliceSeconds * 1000 * job.length);
    rates.push(done / ((performance.now() - from) / 1000));
    cpuRates.push(done / Math.max(cpuSeconds() - cpuFrom, 1e-6));
    total += done;
    job.progress((slice + 1) / sliceCount);
    await breathe();
  }
  return {
    best: Math.max(...rates),
    bestByCpu: Math.max(...cpuRates),
    spread: spreadPercent(rates),
    bytes: total,
    isRight,
  };
}

interface Run {
  readonly read: Measured;
  readonly write: Measured;
  readonly copy: Measured;
  readonly spread: number;
}

async function measure(given: GivenMemory, kernel: MemoryKernel, job: MachineJob): Promise<Run> {
  const part = (index: number): MachineJob => ({
    ...job,
    progress: (done) => job.progress((index + done) / 3),
  });
  const writes = await measurePass(write, kernel, given.bytes, part(0));
  const reads = await measurePass(read, kernel, given.bytes, part(1));
  const arrives = copyArrives(kernel, given.bytes);
  const copies = { ...(await measurePass(copy, kernel, given.bytes, part(2))), isRight: arrives };
  const kinds = { read: reads, write: { ...writes, isRight: reads.isRight }, copy: copies };
  return { ...kinds, spread: Math.max(reads.spread, writes.spread, copies.spread) };
}

/** Reads, writes and copies memory that is too large for the caches. */
export async function memoryBandwidth(job: MachineJob): Promise<TestResult> {
  const hugeBefore = hugePageBytes();
  const given = takeMemory(bandwidthBytes(lastLevelCacheBytes()), job.memoryBytes, leastBytes);
  const kernel = startMemoryKernel(given.memory);
  const run = await measure(given, kernel, job);
  const { flags, witnesses } = spreadMarks(run);
  const kinds = [run.read, run.write, run.copy];
  const touched = (counts: readonly Measured[]): number => counts.reduce((sum, { bytes }) => sum + bytes, 0);
  const gb = (bytesPerSecond: number): number => bytesPerSecond / 1e9;
  return {
    outcome: "success",
    metrics: {
      read_gb_s: gb(run.read.best),
      write_gb_s: gb(run.write.best),
      copy_gb_s: gb(run.copy.best),
      read_gb_per_cpu_s: gb(run.read.bestByCpu),
      write_gb_per_cpu_s: gb(run.write.bestByCpu),
      copy_gb_per_cpu_s: gb(run.copy.bestByCpu),
    },
    parameters: {
      size_mb: given.bytes / mib,
      huge_pages_percent: hugePagePercent(hugeBefore, given.bytes),
    },
    flags,
    host_limit: given.limit,
    witnesses: [
      {
        key: "bytes_touched",
        expected: touched(kinds),
        actual: touched(kinds.filter(({ isRight }) => isRight)),
        unit: "bytes",
      },
      ...witnesses,
    ],
  };
}
