import type { z } from "zod";
import type { MeasuredBy } from "../core/report/conditions.ts";
import type { PayloadTest } from "../core/report/payload-test.ts";

/** What a test measured, without what the run adds: identity, mode and duration. */
export type TestResult = Omit<
  z.input<typeof PayloadTest>,
  "test_id" | "test_name" | "category" | "sub_category" | "benchmark_mode" | "duration_ms" | "success"
>;

export interface BenchContext {
  /** When it aborts, the test stops its work, removes what it made, and throws the signal's reason. */
  readonly signal: AbortSignal;
  /** An empty folder on the disk to measure; the run removes it. */
  readonly folder: string;
  /** Share of the usual length, above 0 and at most 1. */
  readonly length: number;
  /** Threads that the process may use at once, by the cgroup's quota and the CPU mask. */
  readonly processors: number;
  /** Memory that a test may use, bytes: half of what is free, within every limit of this process. */
  readonly memoryBytes: number;
  /** `cpu_time`: the machine is in use meanwhile, on purpose. The test then gives way to other programs. */
  readonly measuredBy: MeasuredBy;
  /** `done`: the share of the test that is done, 0 to 1. */
  progress(done: number): void;
}

export interface BenchTest {
  /** The `test_id` of the payload. */
  readonly id: string;
  readonly name: string;
  readonly category: "cpu" | "memory" | "disk" | "exploration" | "entities" | "mechanics";
  /** Usual duration at full length, s. */
  readonly seconds: number;
  run(context: BenchContext): Promise<TestResult>;
}
