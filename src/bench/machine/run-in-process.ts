import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { parseProcessLimits } from "../../linux/process-limits.ts";
import { builtFile } from "../../program/program-files.ts";
import type { BenchContext, TestResult } from "../bench-test.ts";
import { reasonOfEnd, refusalOf } from "./host-refusal.ts";
import type { MachineTestId } from "./machine-jobs.ts";
import type { TestAnswer, TestOrder } from "./test-process.ts";
import { nullIfClosed } from "../../core/failure-code.ts";

/** The work blocks; a process of its own can be ended at any moment, and takes its memory with it. */
export async function runInProcess(id: MachineTestId, context: BenchContext): Promise<TestResult> {
  context.signal.throwIfAborted();
  const child = fork(builtFile("machine-test.js"), {
    execArgv: engineOptions(),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const kill = (): boolean => child.kill("SIGKILL");
  context.signal.addEventListener("abort", kill, { once: true });
  try {
    return await resultOf(child, id, context);
  } finally {
    context.signal.removeEventListener("abort", kill);
    // Waits for its end, after an error or an abort too, before the folder is removed.
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      if (context.signal.aborted) kill();
      await once(child, "exit");
    }
    context.signal.throwIfAborted();
  }
}

/** With an address space limit, the engine cannot reserve gigabytes to catch wrong WebAssembly addresses. */
function engineOptions(): string[] {
  return addressBytes() === null ? [] : ["--disable-wasm-trap-handler"];
}

function addressBytes(): number | null {
  try {
    return parseProcessLimits(readFileSync("/proc/self/limits", "utf8")).addressBytes;
  } catch (error) {
    return nullIfClosed(error);
  }
}

/** Time for the start of a process, ms: usually a tenth of a second, under load some seconds. */
const startMs = 30_000;

function resultOf(child: ChildProcess, id: MachineTestId, context: BenchContext): Promise<TestResult> {
  return new Promise<TestResult>((resolve) => {
    let result: TestResult | null = null;
    let words = "";
    child.stderr?.on("data", (bytes: Buffer) => (words = (words + bytes.toString()).slice(-4000)));
    // With too few threads, Node.js can also hang at its start.
    const unstarted = setTimeout(() => {
      result = failure("thread_limit_reached", "The test's process did not start.");
      child.kill("SIGKILL");
    }, startMs);
    child.on("message", (answer: TestAnswer) => {
      clearTimeout(unstarted);
      if (answer.kind === "progress") context.progress(answer.done);
      else result = answer.result;
    });
    child.once("error", (error) => {
      clearTimeout(unstarted);
      const refusal = refusalOf(error);
      resolve(
        refusal === null
          ? failure("test_crashed", error.message)
          : { outcome: "skipped", reason_code: refusal.reason, host_limit: refusal.hostLimit },
      );
    });
    child.once("close", (_, signal) => {
      clearTimeout(unstarted);
      resolve(result ?? failure(reasonOfEnd(signal, words, addressBytes() !== null), words));
    });
    const { folder, length, processors, memoryBytes, measuredBy } = context;
    const order: TestOrder = { id, input: { folder, length, processors, memoryBytes, measuredBy } };
    // If the process is gone already, its end says so.
    child.send(order, () => {});
  });
}

const mostWords = 200;

/** Keeps the line of the output that names the error. */
function failure(reason: string, words: string): TestResult {
  const lines = words.split("\n").filter((each) => each.trim() !== "");
  const line = lines.find((each) => /error|fail/i.test(each)) ?? lines[0] ?? "";
  return {
    outcome: "failure",
    reason_code: reason,
    parameters: { message: line.trim().slice(0, mostWords) },
  };
}
