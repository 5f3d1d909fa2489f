import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { rawClient } from "../support/raw-client.ts";
import { ownTime } from "../support/own-time.ts";

const main = join(import.meta.dirname, "../../dist/main.js");

const Account = z.strictObject({ email: z.string(), password: z.string(), token: z.string() });

/** The line of `demo --json`, nothing more and nothing less. */
export const Line = z.strictObject({
  base_url: z.url(),
  mcp_url: z.url(),
  accounts: z.strictObject({
    free: Account,
    pro: Account,
    hosting: Account,
    enterprise: Account,
    admin: Account,
  }),
  servers: z.array(
    z.strictObject({ id: z.string(), name: z.string(), account: z.string(), auth_token: z.string() }),
  ),
  runner_key: z.string(),
});
export type Line = z.output<typeof Line>;

export type Plan = keyof Line["accounts"];
export type Answer = { status: number; body: Record<string, unknown> };
type Rows = { data: Record<string, unknown>[] };

/** Calls the API of a demo with the token of one of its accounts. */
export const caller =
  (line: Line, plan: Plan) =>
  async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${line.base_url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${line.accounts[plan].token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

export const rowsOf = ({ body }: Answer): Rows["data"] =>
  "data" in body ? (body as Rows).data : (body as unknown as Rows["data"]);

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const directories: string[] = [];

/** Removes what every demo of this file left in its temporary directory, kept databases included. */
export const removeDirectories = (): void =>
  directories.forEach((path) => rmSync(path, { recursive: true, force: true }));

/** The built command as a child process, with a temporary directory of its own. */
export class Demo {
  readonly temporary = mkdtempSync(join(tmpdir(), "demo-test-"));
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  #stdout = "";
  #stderr = "";

  constructor(options: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    if (!existsSync(main)) throw new Error(`${main} is missing: npm run build makes it.`);
    directories.push(this.temporary);
    const { PATH, HOME } = process.env;
    this.#child = spawn(process.execPath, [main, "demo", ...options], {
      cwd: this.temporary,
      env: { PATH, HOME, TMPDIR: this.temporary, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.on("data", (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.#child.stderr?.on("data", (chunk: Buffer) => (this.#stderr += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.#child.once("close", (status) => resolve({ status, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  /** What it printed up to its first whole line, or everything when it ended before. */
  async printed(): Promise<string> {
    const line = new Promise<void>((resolve) => {
      this.#child.stdout?.on("data", () => {
        if (this.#stdout.includes("\n")) resolve();
      });
    });
    await Promise.race([line, this.ended]);
    return this.#stdout;
  }

  async line(): Promise<Line> {
    const text = await this.printed();
    if (!text.includes("\n")) throw new Error(`The demo ended without its line: ${this.#stderr}`);
    return Line.parse(JSON.parse(text));
  }

  end(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }

  /** Ends it while clients hold it up: one is silent, one sent half a head, one whatever is given; how long that took. */
  async endHeldUp(
    signal: NodeJS.Signals,
    { base_url }: Line,
    bytes: string,
  ): Promise<Ended & { afterMs: number }> {
    const port = Number(new URL(base_url).port);
    for (const sent of ["", "GET /healthz HTTP/1.1\r\nHost: a\r\n", bytes]) await rawClient(port, sent);
    const own = ownTime(this.#child.pid ?? process.pid);
    const ended = await this.end(signal);
    return { ...ended, afterMs: own() };
  }
}
