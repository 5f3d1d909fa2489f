import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Whether a program of the system is there; where it is not, the reason is printed, and its tests are left out. */
export function hasProgram(name: string, ...harmless: readonly string[]): boolean {
  const found = spawnSync(name, harmless, { encoding: "utf8" });
  if (!found.error && found.status === 0) return true;
  console.log(
    `${name} is not on this machine (${found.error?.message ?? found.stderr}): its tests are left out`,
  );
  return false;
}

/** A program that runs until it is stopped; it does not outlive the tests. */
export interface RunningProgram {
  readonly process: ChildProcess;
  /** What it has printed so far, on both streams. */
  readonly printed: () => string;
  /** Ends it; with SIGKILL at once, where its own way to end takes long. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export function runProgram(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningProgram {
  const child = spawn(name, args, {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
    });
  const abandon = (): void => void child.kill("SIGKILL");
  process.once("exit", abandon);
  const ended = once(child, "exit");
  return {
    process: child,
    printed: () => printed,
    stop: async (signal = "SIGTERM") => {
      process.off("exit", abandon);
      child.kill(signal);
      await ended;
    },
  };
}
