import type { BenchTest } from "../bench-test.ts";
import type { MachineTestId } from "./machine-jobs.ts";
import { runInProcess } from "./run-in-process.ts";

type Description = Omit<BenchTest, "run" | "id"> & { readonly id: MachineTestId };

const descriptions: readonly Description[] = [
  { id: "cpu_single_core", name: "CPU, one core", category: "cpu", seconds: 20 },
  { id: "cpu_multi_core", name: "CPU, all cores", category: "cpu", seconds: 11 },
  { id: "memory_bandwidth", name: "Memory bandwidth", category: "memory", seconds: 9 },
  { id: "memory_latency", name: "Memory latency", category: "memory", seconds: 10 },
  { id: "disk_sequential", name: "Disk, sequential", category: "disk", seconds: 10 },
  { id: "disk_random_4k", name: "Disk, random 4K", category: "disk", seconds: 20 },
];

/** What is measured without a game server. */
export const machineTests: readonly BenchTest[] = descriptions.map((description) => ({
  ...description,
  run: (context) => runInProcess(description.id, context),
}));
