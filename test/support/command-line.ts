import { spawnSync } from "node:child_process";
import { runCommandLine } from "../../src/cli/program.ts";

/** How a command ended, and what it printed. */
export interface EndedCommand {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** How many lines it printed on standard error. */
  readonly lines: number;
}

type Settings = Readonly<Record<string, string>>;

const signals = ["SIGINT", "SIGTERM"] as const;

const linesOf = (text: string): number => text.split("\n").filter((line) => line !== "").length;

/** Collects what is written to a stream of this process, until it is released. */
function captured(stream: NodeJS.WriteStream): { readonly text: () => string; release(): void } {
  const write = stream.write;
  const chunks: Buffer[] = [];
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    chunks.push(Buffer.from(chunk as string));
    const written = rest.find((each) => typeof each === "function");
    written?.();
    return true;
  };
  return { text: () => Buffer.concat(chunks).toString("utf8"), release: () => void (stream.write = write) };
}

let running = false;

/**
 * Runs a command of the command line in this process, with PATH, HOME and those settings as its whole environment. A start
 * of the built program costs a second of processor time; tests of what a command does need none. Commands run one by one.
 */
export async function runCommand(args: readonly string[], settings: Settings = {}): Promise<EndedCommand> {
  if (running) throw new Error("Another command runs in this process.");
  running = true;
  const { env, exitCode } = process;
  const listeners = signals.map((signal) => process.listeners(signal));
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
  process.env = { PATH: env["PATH"], HOME: env["HOME"], ...settings };
  process.exitCode = undefined;
  try {
    await runCommandLine([process.execPath, "tickmark", ...args]);
    const text = stderr.text();
    return {
      status: Number(process.exitCode ?? 0),
      stdout: stdout.text(),
      stderr: text,
      lines: linesOf(text),
    };
  } finally {
    stdout.release();
    stderr.release();
    process.env = env;
    process.exitCode = exitCode;
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!listeners[index]?.includes(listener)) process.off(signal, listener);
    running = false;
  }
}

/** Runs the built program to its end, in a process of its own: for tests of the process itself. `npm test` builds first. */
export function runBuilt(args: readonly string[], settings: Settings = {}, input?: string): EndedCommand {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["dist/main.js", ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...settings },
    maxBuffer: 64 * 2 ** 20,
    ...(input !== undefined && { input }),
  });
  return { status, stdout, stderr, lines: linesOf(stderr) };
}
