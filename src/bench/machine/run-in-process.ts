import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseProcessLimits } from "../../linux/process-limits.ts";
import type { BenchContext, TestResult } from "../bench-test.ts";
import { builtFile } from "./built-file.ts";
import { refusalOf } from "./host-refusal.ts";
import type { MachineTestId } from "./machine-jobs.ts";
import type { TestAnswer, TestOrder } from "./test-process.ts";

/**
 * Runs a machine test in a process of its own: the work blocks, can be ended at any moment, and takes its memory with it.
 */
export async function runInProcess(id: MachineTestId, context: BenchContext): Promise<TestResult> {
  context.signal.throwIfAborted();
  const child = fork(fileURLToPath(builtFile("machine/test-process.js")), {
    execArgv: engineOptions(),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const kill = (): boolean => child.kill("SIGKILL");
  context.signal.addEventListener("abort", kill, { once: true });
  try {
    return await resultOf(child, id, context);
  } finally {
    context.signal.removeEventListener("abort", kill);
    // It ends by itself after a result; here it does after an error or an abort too, before the folder is removed.
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      if (context.signal.aborted) kill();
      await once(child, "exit");
    }
    context.signal.throwIfAborted();
  }
}

/**
 * With a limit on the address space the engine cannot reserve the gigabytes around each WebAssembly memory by which it
 * catches wrong addresses; it then checks each address, which costs some speed.
 */
function engineOptions(): string[] {
  return addressBytes() === null ? [] : ["--disable-wasm-trap-handler"];
}

function addressBytes(): number | null {
  try {
    return parseProcessLimits(readFileSync("/proc/self/limits", "utf8")).addressBytes;
  } catch {
    return null;
  }
}

/** Signals by which a process ends that gets no memory: the kernel's, and the engine's own. */
const outOfMemory: ReadonlySet<string> = new Set(["SIGKILL", "SIGABRT", "SIGTRAP", "SIGILL"]);

function resultOf(child: ChildProcess, id: MachineTestId, context: BenchContext): Promise<TestResult> {
  return new Promise<TestResult>((resolve) => {
    let result: TestResult | null = null;
    let words = "";
    child.stderr?.on("data", (bytes: Buffer) => (words = (words + bytes.toString()).slice(-4000)));
    child.on("message", (answer: TestAnswer) => {
      if (answer.kind === "progress") context.progress(answer.done);
      else result = answer.result;
    });
    child.once("error", (error) =>
      resolve(failure(refusalOf(error)?.reason ?? "test_crashed", error.message)),
    );
    child.once("close", (_, signal) => {
      const reason = outOfMemory.has(signal ?? "") ? "memory_budget_refused" : "test_crashed";
      resolve(result ?? failure(reason, words));
    });
    const { folder, length, processors, memoryBytes } = context;
    const order: TestOrder = { id, input: { folder, length, processors, memoryBytes } };
    // A process that is gone already says so by its end.
    child.send(order, () => {});
  });
}

const mostWords = 200;

/** The line of an error's output that names it. */
function failure(reason: string, words: string): TestResult {
  const line = words.split("\n").find((each) => /error/i.test(each)) ?? words.split("\n")[0] ?? "";
  return {
    outcome: "failure",
    reason_code: reason,
    parameters: { message: line.trim().slice(0, mostWords) },
  };
}
