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

type Name = "open" | "quota" | "ingest" | "job" | "claim" | "transition" | "seal" | "beat";

/** What the suites of a file share: the script is made once, and removed after the last of them. */
interface Shared {
  suites: number;
  script: Promise<Script> | null;
}

const shared = new Map<Name, Shared>();

/** Starts processes that run `NAME-worker.ts` with the arguments. */
export function workers(name: Name): (...args: string[]) => Promise<Worker> {
  const mine: Shared = shared.get(name) ?? { suites: 0, script: null };
  shared.set(name, mine);
  mine.suites += 1;
  const running: ChildProcess[] = [];
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    mine.suites -= 1;
    if (mine.suites > 0) return;
    shared.delete(name);
    (await mine.script)?.remove();
  });
  return async (...args) => {
    mine.script ??= bundled(join(import.meta.dirname, `${name}-worker.ts`));
    const child = fork((await mine.script).path, args, {
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
