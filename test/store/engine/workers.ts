import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll } from "vitest";

/** The program as it is built: other processes cannot read TypeScript. `npm test` builds first. */
const built = new URL("../../../dist/src/", import.meta.url);

/** Another process that works on a database. It is told to begin, so that several can begin together. */
export interface Worker {
  readonly process: ChildProcess;
  /** Lets it begin. */
  begin(): void;
  /** What it answers at its end. */
  result(): Promise<unknown>;
}

type Name = "open" | "quota" | "ingest" | "job" | "claim" | "transition" | "seal";

/** Starts processes that run `NAME-worker.ts` with the arguments after the built program's address. */
export function workers(name: Name): (...args: string[]) => Promise<Worker> {
  if (!existsSync(built)) throw new Error("Build first: npm run build");
  const folder = mkdtempSync(join(tmpdir(), "tickmark-worker-"));
  const source = readFileSync(fileURLToPath(new URL(`${name}-worker.ts`, import.meta.url)), "utf8");
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  const script = join(folder, "worker.mjs");
  writeFileSync(script, ts.transpileModule(source, { compilerOptions }).outputText);
  const running: ChildProcess[] = [];
  afterAll(() => {
    for (const child of running) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return async (...args) => {
    const child = fork(script, [built.href, ...args], {
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
