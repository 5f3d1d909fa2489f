import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll } from "vitest";
import { bundled, type Script } from "../../support/bundled.ts";

/** Another process that works on a database. It is told to begin, so that several can begin together. */
export interface Worker {
  readonly process: ChildProcess;
  /** Lets it begin. */
  begin(): void;
  /** What it answers at its end. */
  result(): Promise<unknown>;
}

type Name = "open" | "quota" | "ingest" | "job" | "claim" | "transition" | "seal";

/** Starts processes that run `NAME-worker.ts` with the arguments. */
export function workers(name: Name): (...args: string[]) => Promise<Worker> {
  let script: Promise<Script> | null = null;
  const running: ChildProcess[] = [];
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    (await script)?.remove();
  });
  return async (...args) => {
    script ??= bundled(join(import.meta.dirname, `${name}-worker.ts`));
    const child = fork((await script).path, args, {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      execArgv: [],
    });
    running.push(child);
    const [ready] = await Promise.race([once(child, "message"), once(child, "exit")]);
    if (ready !== "ready") throw new Error(`The worker said ${String(ready)}.`);
    const result = once(child, "message").then(([message]: unknown[]) => message);
    return { process: child, begin: () => child.send("begin"), result: () => result };
  };
}
