import type { TestResult } from "../bench-test.ts";
import { cpuMultiCore } from "./cpu/cpu-multi-core.ts";
import { cpuSingleCore } from "./cpu/cpu-single-core.ts";
import { diskRandom } from "./disk/disk-random.ts";
import { diskSequential } from "./disk/disk-sequential.ts";
import type { MachineJob } from "./job.ts";
import { memoryBandwidth } from "./memory/memory-bandwidth.ts";
import { memoryLatency } from "./memory/memory-latency.ts";

/** Each machine test's work, done in a process of its own. */
export const machineJobs = {
  cpu_single_core: cpuSingleCore,
  cpu_multi_core: cpuMultiCore,
  memory_bandwidth: memoryBandwidth,
  memory_latency: memoryLatency,
  disk_sequential: diskSequential,
  disk_random_4k: diskRandom,
} as const satisfies Record<string, (job: MachineJob) => Promise<TestResult>>;

export type MachineTestId = keyof typeof machineJobs;
