import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** What one scenario of the suite found. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/**
 * The suite imports `globSync`, which Node has from 22 on, for a command that is none of ours. Where it is missing
 * the name alone is added, so that the suite loads.
 */
const withGlob = `export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => { throw new Error("no glob") };`;
const hook = `export const resolve = (name, from, next) => name === "fs" && from.parentURL?.includes("/@modelcontextprotocol/conformance/")
  ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(withGlob)}`)}, shortCircuit: true } : next(name, from);`;
const preload = `import { register } from "node:module"; import * as fs from "node:fs";
if (!("globSync" in fs)) register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;

const suite = join("node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

/** Runs the suite in a process of its own: what it found, by scenario, and what it printed. */
export async function runSuite(
  args: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<{ checks: ReadonlyMap<string, readonly Check[]>; printed: string }> {
  const results = mkdtempSync(join(tmpdir(), "tickmark-conformance-"));
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(preload)}`, suite, ...args, "-o", results],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let line = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (line + chunk.toString("utf8")).split("\n");
    line = lines.pop() ?? "";
    for (const complete of lines) onLine(complete);
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const checks = checksIn(results);
  rmSync(results, { recursive: true, force: true });
  return { checks, printed: out + err };
}

/** The suite makes a folder a scenario: `server-NAME-TIME`, `authorization-server-NAME-TIME`. */
function checksIn(folder: string): ReadonlyMap<string, readonly Check[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("checks.json"),
  );
  return new Map(
    files.map((path) => [
      path.replace(/^(?:authorization-)?server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, ""),
      JSON.parse(readFileSync(join(folder, path), "utf8")) as Check[],
    ]),
  );
}
