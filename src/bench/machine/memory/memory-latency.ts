import { median } from "../../../core/statistics/order.ts";
import type { TestResult } from "../../bench-test.ts";
import { breathe, type MachineJob } from "../job.ts";
import { startMemoryKernel, type MemoryKernel } from "../kernels.ts";
import { hugePageBytes, hugePagePercent, takeMemory } from "./memory-size.ts";
import { cpuSeconds, spreadMarks, spreadPercent } from "../slices.ts";

const mib = 1024 ** 2;
const wantedBytes = 256 * mib;
const leastBytes = 64 * mib;
const lineBytes = 64;

const sliceCount = 5;
/** Most hops in one call of the kernel. */
const stretch = 1 << 18;

interface Run {
  readonly latencies: readonly number[];
  readonly cpuLatencies: readonly number[];
  readonly spread: number;
  readonly hops: number;
}

/** Times are in ns a hop. */
function walk(kernel: MemoryKernel, from: number, hops: number): { at: number; ns: number; cpuNs: number } {
  const [began, cpuBegan] = [performance.now(), cpuSeconds()];
  let at = from;
  for (let left = hops; left > 0; left -= stretch) at = kernel.chase(at, Math.min(left, stretch));
  const ms = performance.now() - began;
  return { at, ns: (ms * 1e6) / hops, cpuNs: ((cpuSeconds() - cpuBegan) * 1e9) / hops };
}

async function measure(kernel: MemoryKernel, hops: number, job: MachineJob): Promise<Run> {
  const walks: { at: number; ns: number; cpuNs: number }[] = [];
  for (let slice = 0; slice < sliceCount; slice += 1) {
    walks.push(walk(kernel, walks.at(-1)?.at ?? 0, hops));
    job.progress((slice + 2) / (sliceCount + 1));
    await breathe();
  }
  const latencies = walks.map(({ ns }) => ns);
  return {
    latencies,
    cpuLatencies: walks.map(({ cpuNs }) => cpuNs),
    spread: spreadPercent(latencies),
    hops: sliceCount * hops,
  };
}

/** The time of a read whose address is known only after the read before. */
export async function memoryLatency(job: MachineJob): Promise<TestResult> {
  const hugeBefore = hugePageBytes();
  const { memory, bytes, limit } = takeMemory(wantedBytes, job.memoryBytes, leastBytes);
  const kernel = startMemoryKernel(memory);
  const lines = bytes / lineBytes;
  kernel.linkLines(0, lines, 0x9e37_79b9_7f4a_7c15n);
  // One walk around checks that the chain is one cycle, and lets the engine compile the loop.
  const around = walk(kernel, 0, lines).at === 0;
  job.progress(1 / (sliceCount + 1));
  await breathe();
  const hops = Math.max(8, Math.round((lines * job.length) / 8) * 8);
  const run = await measure(kernel, hops, job);
  const { flags, witnesses } = spreadMarks(run);
  const hugePercent = hugePagePercent(hugeBefore, bytes);
  return {
    outcome: "success",
    metrics: { latency_ns: median(run.latencies), cpu_latency_ns: median(run.cpuLatencies) },
    parameters: { size_mb: bytes / mib, line_bytes: lineBytes, huge_pages_percent: hugePercent },
    flags: { ...flags, huge_pages: hugePercent === null ? null : hugePercent >= 50 },
    host_limit: limit,
    witnesses: [{ key: "hops", expected: run.hops, actual: around ? run.hops : 0 }, ...witnesses],
  };
}
