import type { TestResult } from "../../bench-test.ts";
import { operationsInRound, roundsInBatch } from "./cpu-kernel.ts";
import { startCpuThreads } from "./cpu-threads.ts";
import { HostRefusal, type HostLimitFound } from "../host-refusal.ts";
import type { MachineJob } from "../job.ts";
import { cpuSeconds, ratesBy, speedsOf, spreadMarks, spreadPercent, type TimedSlice } from "../slices.ts";

const sliceCount = 5;
const sliceSeconds = 2;
const warmUpSeconds = 1;

/** Memory of one thread with its engine, MiB. */
const threadMib = 16;
const mib = 1024 ** 2;

interface Run {
  readonly slices: readonly TimedSlice[];
  readonly spread: number;
  readonly started: number;
  readonly wrong: number;
}

/** One thread per processor, or as many as memory allows. */
function threadsFor({ processors, memoryBytes }: MachineJob): {
  readonly threads: number;
  readonly limit: HostLimitFound | null;
} {
  const threads = Math.min(processors, Math.floor(memoryBytes / mib / threadMib));
  if (threads < 1) throw new HostRefusal("memory_budget_refused");
  const limit = { setting: "memory", limit: threads * threadMib, needed: processors * threadMib, unit: "MB" };
  return { threads, limit: threads < processors ? limit : null };
}

async function measure(job: MachineJob): Promise<Run> {
  const { threads } = threadsFor(job);
  const sliceMs = sliceSeconds * 1000 * job.length;
  const warmUpMs = warmUpSeconds * 1000 * job.length;
  const running = await startCpuThreads({ threads, sliceCount, sliceMs, warmUpMs });
  const cpuAt = [cpuSeconds()];
  for (let slice = 1; slice <= sliceCount; slice += 1) {
    await running.until(slice);
    cpuAt.push(cpuSeconds());
    job.progress(slice / sliceCount);
  }
  const { batches, wrong } = await running.end();
  const slices = batches.map((count, slice) => ({
    done: count * roundsInBatch * operationsInRound,
    wall: sliceMs / 1000,
    cpu: (cpuAt[slice + 1] ?? 0) - (cpuAt[slice] ?? 0),
  }));
  const spread = spreadPercent(ratesBy(job.measuredBy, slices));
  return { slices, spread, started: running.started, wrong };
}

/** The work of the single-core test, on every processor that the process may use. */
export async function cpuMultiCore(job: MachineJob): Promise<TestResult> {
  const { limit } = threadsFor(job);
  const run = await measure(job);
  const { flags, witnesses } = spreadMarks(run);
  return {
    outcome: "success",
    metrics: { ...speedsOf(run.slices, job.measuredBy), threads: run.started },
    parameters: { slices: sliceCount, slice_seconds: sliceSeconds * job.length },
    flags,
    host_limit: limit,
    witnesses: [
      { key: "checksum_ok", expected: 1, actual: run.wrong === 0 ? 1 : 0 },
      { key: "threads_started", expected: job.processors, actual: run.started },
      ...witnesses,
    ],
  };
}
