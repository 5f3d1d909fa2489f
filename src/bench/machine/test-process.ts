import { setPriority } from "node:os";
import type { TestResult } from "../bench-test.ts";
import { refusalOf } from "./host-refusal.ts";
import type { MachineJobInput } from "./job.ts";
import { machineJobs, type MachineTestId } from "./machine-jobs.ts";

// The process of one machine test: gets an order, sends progress and the result, and ends.

export interface TestOrder {
  readonly id: MachineTestId;
  readonly input: MachineJobInput;
}

export type TestAnswer =
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "result"; readonly result: TestResult };

const answer = (message: TestAnswer): void => {
  process.send?.(message);
};

// Ctrl-C reaches every process of the terminal; the parent decides.
process.on("SIGINT", () => {});
// Nobody waits for the result any more.
process.on("disconnect", () => process.exit(1));

process.once("message", ({ id, input }: TestOrder) => void work(id, input));

async function work(id: MachineTestId, input: MachineJobInput): Promise<void> {
  const progress = (done: number): void => answer({ kind: "progress", done });
  progress(0);
  if (input.measuredBy === "cpu_time") setPriority(lowestPriority);
  const result = await machineJobs[id]({ ...input, progress }).catch(skipped);
  answer({ kind: "result", result });
  process.disconnect();
}

/** Players of a server on this machine must not notice the test. Threads that it starts inherit it. */
const lowestPriority = 19;

/** A limit of the host is a result; any other error ends the process with its message. */
function skipped(error: unknown): TestResult {
  const refusal = refusalOf(error);
  if (refusal === null) throw error;
  return { outcome: "skipped", reason_code: refusal.reason, host_limit: refusal.hostLimit };
}
