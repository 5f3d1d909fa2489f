import type { MeasuredBy } from "../../../core/report/conditions.ts";
import type { TestResult } from "../../bench-test.ts";
import { breathe, type MachineJob } from "../job.ts";
import { doBatch, operationsInRound, roundsInBatch } from "./cpu-kernel.ts";
import { startCpuKernel, type CpuKernel } from "../kernels.ts";
import { cpuSeconds, ratesBy, speedsOf, spreadMarks, spreadPercent, type TimedSlice } from "../slices.ts";

const sliceCount = 8;
const sliceSeconds = 2.5;

interface Run {
  readonly slices: readonly TimedSlice[];
  readonly spread: number;
  readonly batches: number;
  readonly wrong: number;
}

interface CountedSlice extends TimedSlice {
  readonly batches: number;
  readonly wrong: number;
}

/** Beside other programs a slice ends after this part of its length by CPU time, or this multiple by wall time. */
const servingPart = 1 / 5;
const servingPatience = 10;

/** A slice by CPU time has enough of it, however little of the processor others leave. */
function runSlice(kernel: CpuKernel, seconds: number, clock: MeasuredBy): CountedSlice {
  const [from, cpuFrom] = [performance.now(), cpuSeconds()];
  const isOver = (): boolean => {
    const wall = (performance.now() - from) / 1000;
    if (clock === "wall_time") return wall >= seconds;
    return cpuSeconds() - cpuFrom >= servingPart * seconds || wall >= servingPatience * seconds;
  };
  let [batches, wrong] = [0, 0];
  while (!isOver()) {
    if (!doBatch(kernel)) wrong += 1;
    batches += 1;
  }
  const wall = (performance.now() - from) / 1000;
  const done = batches * roundsInBatch * operationsInRound;
  return { done, wall, cpu: cpuSeconds() - cpuFrom, batches, wrong };
}

/** The first slice does not count, because the engine still compiles in it. */
async function measure({ length, progress, measuredBy }: MachineJob): Promise<Run> {
  const kernel = startCpuKernel();
  const slices: CountedSlice[] = [];
  for (let index = 0; index < sliceCount; index += 1) {
    slices.push(runSlice(kernel, sliceSeconds * length, measuredBy));
    progress((index + 1) / sliceCount);
    await breathe();
  }
  const kept = slices.slice(1);
  return {
    slices: kept,
    spread: spreadPercent(ratesBy(measuredBy, kept)),
    batches: slices.reduce((sum, { batches }) => sum + batches, 0),
    wrong: slices.reduce((sum, { wrong }) => sum + wrong, 0),
  };
}

export async function cpuSingleCore(job: MachineJob): Promise<TestResult> {
  const run = await measure(job);
  const { flags, witnesses } = spreadMarks(run);
  const iterations = run.batches * roundsInBatch;
  return {
    outcome: "success",
    metrics: speedsOf(run.slices, job.measuredBy),
    parameters: { slices: run.slices.length, slice_seconds: sliceSeconds * job.length },
    flags,
    witnesses: [
      { key: "checksum_ok", expected: 1, actual: run.wrong === 0 ? 1 : 0 },
      { key: "iterations", expected: iterations, actual: iterations - run.wrong * roundsInBatch },
      ...witnesses,
    ],
  };
}
