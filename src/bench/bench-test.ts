import type { z } from "zod";
import type { PayloadTest } from "../core/report/payload-test.ts";

/** What a test measured, in the fields of the report's payload. The run adds identity, mode and duration. */
export type TestResult = Omit<
  z.input<typeof PayloadTest>,
  "test_id" | "test_name" | "category" | "sub_category" | "benchmark_mode" | "duration_ms" | "success"
>;

/** What a run gives its tests. */
export interface BenchContext {
  /** Ends the test: it stops its work, removes what it made, and throws the signal's reason. */
  readonly signal: AbortSignal;
  /** An empty folder on the disk to measure. The run removes it with everything in it. */
  readonly folder: string;
  /** The share of the usual length, above 0 and at most 1: 1 for a whole run, a third for a quick one. */
  readonly length: number;
  /** Threads that the process may use at once, from the cgroup's quota and the CPU mask. */
  readonly processors: number;
  /** Memory that a test may use, bytes: half of what is free, within every limit of this process. */
  readonly memoryBytes: number;
  /** Says which share of the test is done, 0 to 1. */
  progress(done: number): void;
}

/** One test of a benchmark run. */
export interface BenchTest {
  /** The `test_id` of the payload. */
  readonly id: string;
  readonly name: string;
  /** The group of the test in the payload. Game tests need the owner's server. */
  readonly category: "cpu" | "memory" | "disk" | "exploration" | "entities" | "mechanics";
  /** The usual duration at full length, s. */
  readonly seconds: number;
  run(context: BenchContext): Promise<TestResult>;
}
