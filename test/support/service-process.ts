import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { patienceMs } from "./patience.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** A service in a process of its own, as it is started by hand. `npm test` builds first. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly process: ChildProcess;
  /** Asks it to end, and waits until it did. */
  stop(): Promise<void>;
}

/**
 * Starts `serve` on a free port with that environment and no other; `before`: a command that starts it; `program`: the
 * built program, that of this project if left out; `options`: further options of `serve`.
 */
export async function startServiceProcess(
  environment: Readonly<Record<string, string>>,
  before: readonly string[] = [],
  program = main,
  options: readonly string[] = [],
): Promise<ServiceProcess> {
  const [command = process.execPath, ...args] = [
    ...before,
    process.execPath,
    program,
    "serve",
    "--json",
    ...options,
  ];
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"] ?? "", TICKMARK_PORT: "0", TICKMARK_LOG_LEVEL: "fatal", ...environment },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const abandon = (): void => void child.kill("SIGKILL");
  process.once("exit", abandon);
  const ended = once(child, "exit");
  if (child.stdout === null) throw new Error("What the service prints is not read.");
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), ended.then(() => [null])]);
  if (typeof first[0] !== "string") throw new Error("The service ended before it answered.");
  const { base_url } = JSON.parse(first[0]) as { base_url: string };
  const stop = async (): Promise<void> => {
    process.off("exit", abandon);
    child.kill("SIGTERM");
    await ended;
  };
  return { baseUrl: base_url, process: child, stop };
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

/** One request of JSON to a service. */
export async function ask(
  { baseUrl }: { readonly baseUrl: string },
  method: string,
  path: string,
  token: string,
  body?: unknown,
): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, json };
}

/** Asks again until it holds, without a rest that time would have to pass for; throws after so long. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${patienceMs} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
