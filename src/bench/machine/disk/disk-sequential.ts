import { fsyncSync, readSync } from "node:fs";
import { median } from "../../../core/statistics/order.ts";
import type { TestResult } from "../../bench-test.ts";
import { blockBytes, fillRandom, layOut, openTestFile, writeBlock, type TestFile } from "./direct-file.ts";
import { watchDisk } from "./disk-watch.ts";
import { fileSize } from "./file-size.ts";
import { breathe, type MachineJob } from "../job.ts";
import { otherDiskWitness } from "../../other-work.ts";
import { cpuSeconds, spreadMarks, spreadPercent } from "../slices.ts";

const rounds = 3;
/** A slow disk gets a smaller file and fewer rounds, s. */
const mostLayoutSeconds = 10;
const mostSeconds = 20;

interface Transfer {
  readonly bytes: number;
  readonly seconds: number;
  readonly cpu: number;
}

/** In blocks. */
const reportEvery = 64;

async function timed(
  blocks: number,
  each: (index: number) => number,
  end: () => void,
  progress: (done: number) => void,
): Promise<Transfer> {
  const [from, cpuFrom] = [performance.now(), cpuSeconds()];
  let bytes = 0;
  for (let index = 0; index < blocks; index += 1) {
    bytes += each(index);
    if (index % reportEvery === 0) progress(index / blocks);
  }
  end();
  const transfer = { bytes, seconds: (performance.now() - from) / 1000, cpu: cpuSeconds() - cpuFrom };
  await breathe();
  return transfer;
}

interface Run {
  readonly writes: readonly Transfer[];
  readonly reads: readonly Transfer[];
  readonly spread: number;
  /** Bytes that the disk moved meanwhile, the test's among them; null: not known. */
  readonly diskBytes: number | null;
}

const speed = ({ bytes, seconds }: Transfer): number => bytes / seconds;

async function measure(test: TestFile, blocks: number, job: MachineJob): Promise<Run> {
  const [writes, reads]: [Transfer[], Transfer[]] = [[], []];
  const disk = await watchDisk(job.folder);
  const until = performance.now() + mostSeconds * 1000 * job.length;
  for (let round = 0; round < rounds && (round === 0 || performance.now() < until); round += 1) {
    const part = (half: number) => (done: number) => job.progress((round + (half + done) / 2) / rounds);
    const writeOne = (index: number): number => writeBlock(test, index);
    // The flush to the disk is part of writing.
    writes.push(await timed(blocks, writeOne, () => fsyncSync(test.file), part(0)));
    const readOne = (index: number): number =>
      readSync(test.file, test.block, 0, blockBytes, index * blockBytes);
    reads.push(await timed(blocks, readOne, () => {}, part(1)));
  }
  const spread = Math.max(spreadPercent(writes.map(speed)), spreadPercent(reads.map(speed)));
  const diskBytes = test.isDirect ? ((await disk.since())?.bytes ?? null) : null;
  return { writes, reads, spread, diskBytes };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Overwrites a file from end to end with a flush, and reads it, both past the cache. */
export async function diskSequential(job: MachineJob): Promise<TestResult> {
  const { blocks: planned, limit } = fileSize(job.folder, job.length);
  const test = openTestFile(job.folder);
  try {
    fillRandom(test.block);
    const blocks = layOut(test, planned, mostLayoutSeconds * 1000, () => {});
    const run = await measure(test, blocks, job);
    const { flags, witnesses } = spreadMarks(run);
    const [written, read] = [
      sum(run.writes.map(({ bytes }) => bytes)),
      sum(run.reads.map(({ bytes }) => bytes)),
    ];
    const expected = run.writes.length * blocks * blockBytes;
    return {
      outcome: "success",
      metrics: {
        read_mb_s: median(run.reads.map(speed)) / 1e6,
        write_mb_s: median(run.writes.map(speed)) / 1e6,
        file_size_mb: blocks,
        read_cpu_seconds: sum(run.reads.map(({ cpu }) => cpu)),
        write_cpu_seconds: sum(run.writes.map(({ cpu }) => cpu)),
      },
      parameters: { block_kb: blockBytes / 1024, rounds: run.writes.length, direct_io: test.isDirect },
      flags: { ...flags, direct_io: test.isDirect },
      host_limit: limit,
      witnesses: [
        { key: "bytes_read", expected, actual: read, unit: "bytes" },
        { key: "bytes_written", expected, actual: written, unit: "bytes" },
        ...otherDiskWitness(run.diskBytes, read + written),
        ...witnesses,
      ],
    };
  } finally {
    test.close();
  }
}
