import { fsyncSync, readSync, writeSync } from "node:fs";
import type { TestResult } from "../../bench-test.ts";
import { blockBytes, fillRandom, layOut, openTestFile, type TestFile } from "./direct-file.ts";
import { watchDisk } from "./disk-watch.ts";
import { fileSize } from "./file-size.ts";
import { breathe, type MachineJob } from "../job.ts";
import { Latencies } from "./latencies.ts";
import { otherDiskWitness } from "../../other-work.ts";
import { cpuSeconds, spreadMarks, spreadPercent } from "../slices.ts";

const pageBytes = 4096;
const sliceCount = 5;
/** A phase ends after the least time and samples together, or after the most of one. */
const leastSeconds = 5;
const leastSamples = 20_000;
const mostSeconds = 20;
const mostSamples = 2_000_000;
/** With fewer samples, fewer than ten are beyond the 99th percentile, so it is null. */
const leastForP99 = 1000;
const mostLayoutSeconds = 10;

const ranks = { p50: 50, p95: 95, p99: 99, p99_9: 99.9 };

interface Phase {
  readonly perSecond: number;
  readonly spread: number;
  readonly started: number;
  readonly completed: number;
  readonly latencies: Latencies;
  readonly cpu: number;
}

type Access = (position: number) => number;

/** Accesses random pages one after another, in slices of equal length. */
async function runPhase(access: Access, pages: number, job: MachineJob): Promise<Phase> {
  const latencies = new Latencies(mostSamples);
  const rates: number[] = [];
  const wanted = Math.max(leastForP99, leastSamples * job.length);
  const cpuFrom = cpuSeconds();
  let [random, started, completed, seconds] = [0x1234_5678, 0, 0, 0];
  const isLong = (): boolean =>
    seconds >= mostSeconds * job.length ||
    latencies.isFull ||
    (seconds >= leastSeconds * job.length && latencies.count >= wanted);
  while (!isLong()) {
    const from = performance.now();
    const until = from + (leastSeconds / sliceCount) * 1000 * job.length;
    let [before, done] = [from, 0];
    while (before < until && !latencies.isFull) {
      random = nextRandom(random);
      started += 1;
      if (access(((random >>> 0) % pages) * pageBytes) === pageBytes) done += 1;
      const now = performance.now();
      latencies.add(now - before);
      before = now;
    }
    const slice = (before - from) / 1000;
    seconds += slice;
    completed += done;
    if (slice > 0) rates.push(done / slice);
    const least = Math.min(seconds / (leastSeconds * job.length), latencies.count / wanted);
    job.progress(Math.min(1, Math.max(seconds / (mostSeconds * job.length), least)));
    await breathe();
  }
  return {
    perSecond: completed / seconds,
    spread: spreadPercent(rates),
    started,
    completed,
    latencies,
    cpu: cpuSeconds() - cpuFrom,
  };
}

function nextRandom(state: number): number {
  let next = state;
  next ^= next << 13;
  next ^= next >>> 17;
  next ^= next << 5;
  return next;
}

interface Run {
  readonly reads: Phase;
  readonly writes: Phase;
  /** The flush after the writes, ms. */
  readonly fsyncMs: number;
  readonly spread: number;
  /** Operations of the disk in the two phases, the test's among them; null: not known. */
  readonly diskOperations: number | null;
}

async function measure({ file, block }: TestFile, blocks: number, job: MachineJob): Promise<Run> {
  const pages = (blocks * blockBytes) / pageBytes;
  const half = (index: number): MachineJob => ({
    ...job,
    progress: (done) => job.progress((index + done) / 2),
  });
  const disk = await watchDisk(job.folder);
  const reads = await runPhase((at) => readSync(file, block, 0, pageBytes, at), pages, half(0));
  const writes = await runPhase((at) => writeSync(file, block, 0, pageBytes, at), pages, half(1));
  const diskOperations = (await disk.since())?.operations ?? null;
  const from = performance.now();
  fsyncSync(file);
  const spread = Math.max(reads.spread, writes.spread);
  return { reads, writes, fsyncMs: performance.now() - from, spread, diskOperations };
}

const withoutDirectIo = (job: MachineJob): TestResult => ({
  outcome: "success",
  metrics: {
    direct_io: false,
    read_iops: null,
    read_p50_ms: null,
    read_p99_ms: null,
    write_iops: null,
    write_p99_ms: null,
    queue_depth: 1,
    samples: 0,
  },
  parameters: { block_kb: pageBytes / 1024, length: job.length },
  flags: { direct_io: false },
});

function resultOf(run: Run, blocks: number): TestResult {
  const { reads, writes } = run;
  const [read, write] = [reads.latencies.percentiles(ranks), writes.latencies.percentiles(ranks)];
  // A report takes no p99 of reads or writes with fewer samples (OUR-PAY-10).
  const hasP99 = Math.min(reads.latencies.count, writes.latencies.count) >= leastForP99;
  const p99 = (ms: number | undefined): number | null => (hasP99 ? (ms ?? null) : null);
  const { flags, witnesses } = spreadMarks(run);
  return {
    outcome: "success",
    metrics: {
      direct_io: true,
      read_iops: reads.perSecond,
      read_p50_ms: read?.p50 ?? null,
      read_p99_ms: p99(read?.p99),
      write_iops: writes.perSecond,
      write_p99_ms: p99(write?.p99),
      queue_depth: 1,
      samples: reads.latencies.count,
      write_samples: writes.latencies.count,
      fsync_ms: run.fsyncMs,
      cpu_seconds: reads.cpu + writes.cpu,
    },
    parameters: { block_kb: pageBytes / 1024, file_size_mb: blocks },
    flags: { ...flags, direct_io: true },
    percentiles: { read_ms: read, write_ms: write },
    witnesses: [
      { key: "reads_completed", expected: reads.started, actual: reads.completed },
      ...otherDiskWitness(run.diskOperations, reads.completed + writes.completed),
      ...witnesses,
    ],
  };
}

/** Single pages at random places, one at a time and past the cache, as a waiting tick accesses them. */
export async function diskRandom(job: MachineJob): Promise<TestResult> {
  const { blocks: planned, limit } = fileSize(job.folder, job.length);
  const test = openTestFile(job.folder);
  try {
    if (!test.isDirect) return withoutDirectIo(job);
    fillRandom(test.block);
    const blocks = layOut(test, planned, mostLayoutSeconds * 1000, () => {});
    const run = await measure(test, blocks, job);
    return { ...resultOf(run, blocks), host_limit: limit };
  } finally {
    test.close();
  }
}
