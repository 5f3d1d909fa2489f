import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { afterAll, expect, it } from "vitest";
import { startServiceProcess } from "../support/service-process.ts";

const folder = mkdtempSync(join(tmpdir(), "tickmark-set-up-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly line: { base_url: string; set_up?: { url: string; code: string } };
  readonly stderr: string;
}

/** What `serve --json` says at its start. */
async function start(env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, ["dist/src/main.js", "serve", "--json"], {
    env: { PATH: process.env["PATH"] ?? "", TICKMARK_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors = text(child.stderr);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { base_url } = JSON.parse(String(line)) as Started["line"];
  await fetch(`${base_url}/healthz`);
  child.kill("SIGTERM");
  await once(child, "exit");
  return { line: JSON.parse(String(line)) as Started["line"], stderr: await errors };
}

it("[OUR-SES-02] every start tells the same code, in the log and in words, until there is an account", async () => {
  const env = { TICKMARK_DATABASE_URL: `sqlite:${join(folder, "fresh.db")}` };
  const [first, second] = [await start(env), await start(env)];
  const code = first.line.set_up?.code ?? "none";
  expect(code).toMatch(/^(?:[A-Z2-9]{5}-){3}[A-Z2-9]{5}$/);
  expect(second.line.set_up?.code).toBe(code);
  expect(first.line.set_up?.url).toBe(`${first.line.base_url}/set-up`);
  for (const { stderr } of [first, second]) {
    const [logged, words] = [
      /^\{.*no account yet.*$/m.exec(stderr)?.[0],
      /^No account yet.*$/m.exec(stderr)?.[0],
    ];
    expect(logged).toContain(code);
    expect(words).toContain(code);
  }
  const served = await startServiceProcess(env);
  const page = await (await fetch(`${served.baseUrl}/set-up`)).text();
  await served.stop();
  expect(page).toContain("Set-up code");
  expect(page).not.toContain(code);
});
