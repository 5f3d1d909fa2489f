import { parentPort, workerData } from "node:worker_threads";
import { doBatch } from "./cpu-kernel.ts";
import { startCpuKernel } from "../kernels.ts";
import { cpuThreadCells, type CpuThreadJob } from "./cpu-threads.ts";

// One thread of the multi-core test: warms up, waits for the others, and counts its batches by slice.
const { index, sliceCount, sliceMs, warmUpMs, shared } = workerData as CpuThreadJob;
const cells = cpuThreadCells(shared, sliceCount);
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

const kernel = startCpuKernel();
// The engine compiles in the first batches; beside other programs they take long.
const [leastBatches, longestMs] = [100, 10_000];
const began = now();
for (let batches = 0; ; batches += 1) {
  const passed = now() - began;
  if ((passed >= warmUpMs && batches >= leastBatches) || passed >= warmUpMs + longestMs) break;
  doBatch(kernel);
}
Atomics.add(cells.ready, 0, 1);
Atomics.notify(cells.ready, 0);
Atomics.wait(cells.go, 0, 0);

if (Atomics.load(cells.go, 0) === 1) {
  const from = cells.from[0] ?? 0;
  const counts = cells.counts.subarray(index * sliceCount, (index + 1) * sliceCount);
  for (;;) {
    if (!doBatch(kernel)) Atomics.add(cells.wrong, 0, 1);
    const slice = Math.floor((now() - from) / sliceMs);
    if (slice >= sliceCount) break;
    if (slice >= 0) counts[slice] = (counts[slice] ?? 0) + 1;
  }
}
parentPort?.close();
