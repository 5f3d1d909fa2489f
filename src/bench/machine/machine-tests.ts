import type { BenchTest } from "../bench-test.ts";
import type { MachineTestId } from "./machine-jobs.ts";
import { runInProcess } from "./run-in-process.ts";

const machineTest = (
  id: MachineTestId,
  name: string,
  category: BenchTest["category"],
  seconds: number,
): BenchTest => ({ id, name, category, seconds, run: (context) => runInProcess(id, context) });

/** The tests that need no game server. */
export const machineTests: readonly BenchTest[] = [
  machineTest("cpu_single_core", "CPU, one core", "cpu", 20),
  machineTest("cpu_multi_core", "CPU, all cores", "cpu", 11),
  machineTest("memory_bandwidth", "Memory bandwidth", "memory", 9),
  machineTest("memory_latency", "Memory latency", "memory", 10),
  machineTest("disk_sequential", "Disk, sequential", "disk", 10),
  machineTest("disk_random_4k", "Disk, random 4K", "disk", 20),
];
